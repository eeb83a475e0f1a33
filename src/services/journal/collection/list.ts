// collection_list: lists collections and their size.

import * as s from '../../../core/schema.ts';
import { fenceAsData } from '../../../core/text/fence.ts';
import { countOf, describeTime, hangText, inOneLine, joinFacts, type Style } from '../../../core/text/terminal.ts';
import { defineTool } from '../../../core/tool.ts';
import type { Node } from '../../../graph/node.ts';
import type { Scope } from '../../../graph/project/scope.ts';
import type { JournalContext } from '../context.ts';
import { listCollections } from './collection.ts';

const listed = s.object({
  collection_name: s.string(),
  description: s.string(),
  documents: s.integer(),
  chunks: s.integer(),
  ingested: s.optional(s.string({ description: 'When last' })),
});
const answer = s.object({ collections: s.list(listed) });

export function createListTool(context: JournalContext) {
  return defineTool({
    name: 'collection_list',
    title: 'List collections',
    description: "List this project's collections of documents.",
    effect: 'read',
    page: 'opens',
    examples: [['lore collection list', 'all collections of this project']],
    input: s.object({}),
    output: answer,
    async run(_, call) {
      const scope = await context.open(call);
      const collections = await listCollections(scope);
      return { collections: await Promise.all(collections.map((node) => view(scope, node))) };
    },
    render({ collections }) {
      if (collections.length === 0) return 'There are no collections yet; create one with collection_create.';
      return fenceAsData(
        collections.map(({ collection_name: id, description, ...facts }) => ({
          id,
          label: labelOf(facts).join(', '),
          text: description,
        })),
      );
    },
    show: showList,
  });
}

type Listed = s.Infer<typeof listed>;

async function view({ opened }: Scope, { id, title, text, data }: Node): Promise<Listed> {
  const { listDocuments } = await import('./document.ts');
  let [documents, chunks] = [0, 0];
  for await (const document of listDocuments(opened, id)) {
    documents++;
    chunks += document.data.chunks;
  }
  return {
    collection_name: title,
    description: text,
    documents,
    chunks,
    ...(typeof data.ingested === 'number' && { ingested: new Date(data.ingested).toISOString() }),
  };
}

function labelOf({ documents, chunks, ingested }: Omit<Listed, 'collection_name' | 'description'>): string[] {
  const last = ingested === undefined ? [] : [`last ingested ${ingested.slice(0, 16).replace('T', ' ')}`];
  return [countOf(documents, 'document'), countOf(chunks, 'chunk'), ...last];
}

function showList({ collections }: s.Infer<typeof answer>, { bold, dim, width, now }: Style): string {
  if (collections.length === 0) return 'There are no collections yet.';
  const lines = collections.flatMap(({ collection_name: name, description, documents, chunks, ingested }) => [
    bold(inOneLine(name)),
    ...(description === '' ? [] : hangText('  ', description, width)),
    ...joinFacts(
      [countOf(documents, 'document'), countOf(chunks, 'chunk'), ingested && `ingested ${describeTime(ingested, now)}`],
      width - 2,
    ).map((line) => `  ${dim(line)}`),
  ]);
  return lines.join('\n');
}
