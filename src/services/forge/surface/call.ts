// tool_read and tool_write: run a tool that tool_find returned. They differ in what clients may approve without asking.
import { basename } from 'node:path';
import type { Call } from '../../../core/call.ts';
import type { Content } from '../../../core/content.ts';
import { text as textContent } from '../../../core/content.ts';
import { LoreError } from '../../../core/error.ts';
import * as s from '../../../core/schema.ts';
import { cutText } from '../../../core/text/budget.ts';
import { fenceAsData } from '../../../core/text/fence.ts';
import { type Style, wrapText } from '../../../core/text/terminal.ts';
import { defineTool, type Tool } from '../../../core/tool.ts';
import {
  type AnswerFile,
  type ProjectFile,
  type ProvidedAnswer,
  toolSourceStates,
} from '../../../core/tool-provider.ts';
import { readInside } from '../../../files/inside.ts';
import type { Folders } from '../../../graph/project/grant.ts';
import { stateLabels } from './find.ts';
import { locateSource, locateTool, type Surface } from './providers.ts';

const mostFileBytes = 32 * 1024 * 1024;
/** Larger files are not shown; their size is. */
const mostShownBytes = 1024 * 1024;

const answered = s.object({
  name: s.string(),
  /** What the source is, such as "API". */
  kind: s.string(),
  status: s.optional(s.integer()),
  media_type: s.optional(s.string()),
  data: s.optional(s.json()),
  text: s.optional(s.string()),
  files: s.optional(s.list(s.object({ media_type: s.string(), bytes: s.integer(), base64: s.optional(s.string()) }))),
  next: s.optional(s.string()),
  truncated: s.optional(s.boolean()),
  /** Unless it is ready. */
  state: s.optional(s.oneOf(toolSourceStates)),
});

type CallAnswer = s.Infer<typeof answered>;

const common = {
  name: s.string({ min: 1, max: 64, description: 'As tool_find returns it' }),
  arguments: s.withDefault(s.record(s.json(), { description: 'As tool_find describes them' }), {}),
  budget_tokens: s.withDefault(s.integer({ min: 100, max: 100_000 }), 4_000),
};
const readInput = s.object({
  ...common,
  max_items: s.optional(
    s.integer({ min: 1, max: 10_000, description: 'Follow the pages of a list up to this many items' }),
  ),
});
const writeInput = s.object(common);
type CallInput = s.Infer<typeof writeInput> & { max_items?: number | undefined };

export function createCallTools(surface: Surface, folders: Folders): Tool[] {
  const run = async (
    { name, arguments: args, max_items: maxItems, budget_tokens: budget }: CallInput,
    call: Call,
    onlyReads: boolean,
  ) => {
    const owned = await locateTool(surface, name, call.caller);
    const { provider, tool, source } = owned;
    if (onlyReads && tool.effect !== 'read') {
      throw new LoreError('invalid_input', `Cannot run "${name}" with tool_read: it changes data`, {
        hint: 'Use tool_write.',
      });
    }
    const accepted = await provider.accept(tool, args);
    const { permitCall } = await import('./permit.ts');
    await permitCall(surface.policy(), owned, accepted, call);
    const answer = await provider.run(tool, accepted, { call, readFile: createFileReader(folders, call), maxItems });
    const { state, kind } =
      source.state === 'ready' ? source : (await locateSource(surface, source.name, call.caller)).source;
    return fitAnswer({ name, kind, ...(state !== 'ready' && { state }) }, answer, budget);
  };
  const show = ({ data, text, status, files = [] }: CallAnswer, { width }: Style) => {
    const whole = text ?? (data === undefined ? undefined : JSON.stringify(data, null, 2));
    const lines = [...(whole === undefined ? [] : wrapText(whole, width)), ...files.map(describeFile)];
    return lines.length > 0 ? lines.join('\n') : `${status === undefined ? '' : `status ${status}, `}no content`;
  };
  const shared = {
    output: answered,
    openWorld: true,
    render,
    show,
    audited: ({ status }: CallAnswer) => ({ ...(status !== undefined && { status }) }),
  };
  return [
    defineTool({
      ...shared,
      input: readInput,
      name: 'tool_read',
      title: 'Call an API tool that reads',
      description: 'Run a tool from tool_find whose effect is read.',
      effect: 'read',
      examples: [[`lore tool read petstore_get_pet_by_id --arguments '{"petId": 1}'`, 'one call']],
      run: (args, call) => run(args, call, true),
    }),
    defineTool({
      ...shared,
      input: writeInput,
      name: 'tool_write',
      title: 'Call an API tool that changes data',
      description: 'Run a tool from tool_find whose effect is write or destroy. The user may have to allow it.',
      effect: 'destroy',
      examples: [[`lore tool write petstore_add_pet --arguments '{"body": {"name": "Rex"}}'`, 'one change']],
      run: (args, call) => run(args, call, false),
    }),
  ];
}

/** Files of the caller's project. */
function createFileReader(folders: Folders, call: Call) {
  return async (path: string): Promise<ProjectFile> => {
    const { tops } = await folders.list(call.caller);
    for (const top of tops) {
      const bytes = await readInside(top, path, mostFileBytes);
      if (bytes) return { bytes, name: basename(path), type: 'application/octet-stream' };
    }
    throw new LoreError(
      'not_found',
      `Cannot send "${path}": it is not a file of the project, or is larger than 32 MiB`,
      {
        hint: 'A person can allow another folder: lore allow --root <folder>',
      },
    );
  };
}

/** What does not fit is truncated text: a part of structured data would be wrong data. */
function fitAnswer(
  head: Pick<CallAnswer, 'name' | 'kind' | 'state'>,
  { files, ...answer }: ProvidedAnswer,
  budget: number,
): CallAnswer {
  const whole = answer.text ?? (answer.data === undefined ? '' : JSON.stringify(answer.data));
  const rest = 'request less with its arguments, or raise budget_tokens';
  const text = cutText(whole, head.name, budget, { rest });
  const shown = { ...head, ...answer, ...(files && { files: files.map(writeFile) }) };
  if (text === whole) return shown;
  const { data: _, ...facts } = shown;
  return { ...facts, text, truncated: true };
}

function writeFile({ media_type, bytes }: AnswerFile): ShownFile {
  const isShown = bytes.length <= mostShownBytes;
  return { media_type, bytes: bytes.length, ...(isShown && { base64: Buffer.from(bytes).toString('base64') }) };
}

type ShownFile = NonNullable<CallAnswer['files']>[number];

function describeFile({ media_type: type, bytes, base64 }: ShownFile): string {
  return `${bytes} bytes of ${type || 'unknown type'}${base64 === undefined ? ', too large to show' : ''}`;
}

function render({ name, kind, status, media_type: type, data, text, files = [], next, state }: CallAnswer): Content[] {
  const label = [
    ...(state === undefined ? [] : [stateLabels[state]]),
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(type ? [type] : []),
    ...(next === undefined ? [] : [`next page: ${next}`]),
  ].join(' · ');
  const parts = [text ?? (data === undefined ? undefined : JSON.stringify(data)), ...files.map(describeFile)];
  const shown = parts.filter((part) => part !== undefined).join('\n') || '(no content)';
  return [
    textContent(fenceAsData([{ id: name, label, text: shown }], `returned by ${withArticle(kind)}`)),
    ...files.flatMap((file) => (file.base64 === undefined ? [] : [toContent(name, file, file.base64)])),
  ];
}

/** "an API", "an MCP server", "a program". */
function withArticle(kind: string): string {
  return `${/^(?:[aeiou]|MCP)/i.test(kind) ? 'an' : 'a'} ${kind}`;
}

function toContent(name: string, { media_type: type }: ShownFile, base64: string): Content {
  if (/^image\/(?:png|jpeg|gif|webp)$/.test(type)) return { type: 'image', data: base64, mimeType: type };
  if (type.startsWith('audio/')) return { type: 'audio', data: base64, mimeType: type };
  return { type: 'resource', resource: { uri: `forge://${name}/response`, mimeType: type, blob: base64 } };
}
