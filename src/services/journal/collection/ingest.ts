// collection_ingest: adds a text, a file or a folder of the project. Small inputs are done when it returns; the rest is done
// in the background.
import type { Call } from '../../../core/call.ts';
import { LoreError } from '../../../core/error.ts';
import { nameInside } from '../../../core/path.ts';
import * as s from '../../../core/schema.ts';
import { runNow } from '../../../core/steps.ts';
import { countOf } from '../../../core/text/terminal.ts';
import { defineTool } from '../../../core/tool.ts';
import type { GraphAccess } from '../../../graph/access.ts';
import { attendOperation } from '../../../graph/operation/follow.ts';
import type { Scope } from '../../../graph/project/scope.ts';
import type { JournalContext } from '../context.ts';
import { collectionName, getCollection } from './collection.ts';
import type { IngestInput } from './ingesting.ts';

const ingestKind = 'ingest';
const said = {
  action: 'ingest',
  argument: 'arguments.path',
  hint: 'Work from the folder of its project, copy it into this one, or pass its text as content.',
};

/** Any process that has the graph open runs queued operations. */
export function handleIngest(access: GraphAccess): void {
  access.whenOpen((opened) => {
    opened.worker.handle(ingestKind, async (work) => {
      const { ingest } = await import('./ingesting.ts');
      return ingest(opened, work.operation.input as IngestInput, { ...work, by: work.operation.id });
    });
  });
}

const counts = {
  added: s.integer(),
  replaced: s.integer(),
  unchanged: s.integer(),
  gone: s.integer({ description: 'Their files are' }),
  chunks: s.integer(),
  skipped: s.record(s.integer()),
} as const;

const outcome = s.object({
  collection_name: s.string(),
  operation_id: s.optional(s.string()),
  result: s.optional(s.object({ collection_name: s.string(), ...counts })),
});

export function createIngestTool(context: JournalContext) {
  return defineTool({
    name: 'collection_ingest',
    title: 'Ingest documents',
    description:
      'Add a file or folder of this project (Markdown, HTML, text) or a given text to a collection. Ingesting again updates what changed. Folders are ingested in the background.',
    effect: 'write',
    examples: [
      ['lore collection ingest handbook --path docs', 'every document in a folder'],
      ['curl -s https://example.com/terms | lore collection ingest handbook --title terms --content -', 'a text'],
    ],
    idempotent: true,
    expensive: true,
    background: 'allowed',
    input: s.object({
      collection_name: collectionName,
      path: s.optional(s.string({ min: 1, max: 4_096 })),
      content: s.optional(s.string({ min: 1, max: 2_000_000, description: 'Instead of path' })),
      title: s.optional(s.string({ min: 1, max: 300, description: 'Identifies content' })),
    }),
    output: outcome,
    async run({ collection_name: name, path, content, title }, call) {
      if ((path === undefined) === (content === undefined)) throw argumentsError(path);
      if (content?.trim() === '') {
        throw new LoreError('invalid_input', 'Cannot ingest: the content is empty', {
          details: { path: 'arguments.content', expected: 'text', received: 'only spaces' },
        });
      }
      const scope = await context.open(call);
      const { id, title: known } = await getCollection(scope, name, 'ingest into');
      const base = { collection: id, collection_name: known, actor: scope.actor };
      const { isQuick } = await import('./ingesting.ts');
      if (content !== undefined) {
        const input = { ...base, root: scope.project.root, content, title: title ?? (await nameText(content)) };
        return isQuick(content.length) ? ingestNow(scope, input, call) : ingestLater(scope, input, call);
      }
      const { resolveInside } = await import('../../../files/inside.ts');
      const { folder, top: root = folder } = await context.locate(call);
      const { real, isFolder, size } = await resolveInside(root, path as string, { ...said, from: folder });
      const inside = nameInside(real, root);
      if (isFolder && title !== undefined) throw titleError(title);
      if (isFolder) return ingestLater(scope, { ...base, root, folder: inside }, call);
      const input = { ...base, root, file: inside, ...(title !== undefined && { title }) };
      return isQuick(size) ? ingestNow(scope, input, call) : ingestLater(scope, input, call);
    },
    render({ collection_name: name, operation_id: id, result }) {
      if (!result)
        return `Ingesting into "${name}" in the background (${id}). Call status with this operation_id to see the progress.`;
      return `Ingested into "${name}": ${describeCounts(result)}.`;
    },
  });
}

type Outcome = s.Infer<typeof outcome>;

async function ingestNow({ opened }: Scope, input: IngestInput, call: Call): Promise<Outcome> {
  const { ingest } = await import('./ingesting.ts');
  const result = await ingest(opened, input, { signal: call.signal, report: async () => {}, by: '' });
  return { collection_name: input.collection_name, result };
}

async function ingestLater({ opened, project }: Scope, input: IngestInput, call: Call): Promise<Outcome> {
  const { id } = await opened.operations.add(ingestKind, project.id, input);
  return attendOperation(opened, id, call, ({ state, problem, result }) => {
    if (state === 'failed' || state === 'cancelled') {
      throw new LoreError('unavailable', problem ?? `Cannot ingest into "${input.collection_name}": it is ${state}`);
    }
    const done = state === 'done' ? { result: result as NonNullable<Outcome['result']> } : {};
    return { collection_name: input.collection_name, operation_id: id, ...done };
  });
}

/** The title of a text, else its beginning. */
async function nameText(content: string): Promise<string> {
  const { chunkDocument, formatOfText } = await import('./chunk/document-format.ts');
  const { title } = runNow(chunkDocument(content.slice(0, 20_000), formatOfText(content)));
  return title ?? content.trim().split('\n', 1)[0]?.slice(0, 100) ?? '';
}

function describeCounts(result: NonNullable<Outcome['result']>): string {
  const { added, replaced, unchanged, gone, chunks, skipped } = result;
  const parts = [
    [added, 'added'],
    [replaced, 'replaced'],
    [unchanged, 'unchanged'],
    [gone, 'removed'],
  ] as const;
  const said = parts.filter(([number]) => number > 0).map(([number, word]) => `${countOf(number, 'document')} ${word}`);
  const left = Object.entries(skipped).map(([reason, number]) => `${number} ${reason.replaceAll('_', ' ')}`);
  return [
    ...(said.length > 0 ? said : ['no documents']),
    countOf(chunks, 'chunk'),
    ...(left.length > 0 ? [`skipped ${left.join(', ')}`] : []),
  ].join(', ');
}

function argumentsError(path: string | undefined): LoreError {
  const received = path === undefined ? 'neither' : 'both';
  return new LoreError('invalid_input', 'Cannot ingest: expected either path or content', {
    details: { path: 'arguments.path', expected: 'either path or content', received },
  });
}

function titleError(title: string): LoreError {
  return new LoreError('invalid_input', `Cannot ingest a folder as "${title}": its documents have their own titles`, {
    details: { path: 'arguments.title', expected: 'none for a folder', received: title },
  });
}
