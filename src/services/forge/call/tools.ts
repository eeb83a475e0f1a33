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
import { readInside } from '../../../files/inside.ts';
import type { Folders } from '../../../graph/project/grant.ts';
import type { ReadFile } from '../openapi/body.ts';
import type { OpenForge } from '../service.ts';
import type { ApiAnswer } from './answer.ts';

const mostFileBytes = 32 * 1024 * 1024;
/** Larger files are not shown; their size is. */
const mostShownBytes = 1024 * 1024;

const answered = s.object({
  name: s.string(),
  status: s.integer(),
  media_type: s.string(),
  data: s.optional(s.json()),
  text: s.optional(s.string()),
  binary: s.optional(s.string()),
  bytes: s.optional(s.integer()),
  next: s.optional(s.string()),
  truncated: s.optional(s.boolean()),
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

export function createCallTools(open: OpenForge, folders: Folders): Tool[] {
  const run = async (
    { name, arguments: args, max_items: maxItems, budget_tokens: budget }: CallInput,
    call: Call,
    onlyReads: boolean,
  ) => {
    const forge = await open();
    const { locateTool, runTool } = await import('./run.ts');
    const tool = await locateTool(forge, name);
    if (onlyReads && tool.entry.effect !== 'read') {
      throw new LoreError('invalid_input', `Cannot run "${name}" with tool_read: it changes data`, {
        hint: 'Use tool_write.',
      });
    }
    const answer = await runTool(forge, tool, args, call, { readFile: createFileReader(folders, call), maxItems });
    return fitAnswer(name, answer, budget);
  };
  const show = ({ data, text, status, bytes, media_type: type }: CallAnswer, { width }: Style) => {
    if (bytes !== undefined) return `${bytes} bytes of ${type}`;
    const whole = text ?? (data === undefined ? `status ${status}, no content` : JSON.stringify(data, null, 2));
    return wrapText(whole, width).join('\n');
  };
  const shared = {
    output: answered,
    openWorld: true,
    render,
    show,
    audited: ({ status }: CallAnswer) => ({ status }),
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
function createFileReader(folders: Folders, call: Call): ReadFile {
  return async (path) => {
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
function fitAnswer(name: string, { binary, ...answer }: ApiAnswer, budget: number): CallAnswer {
  if (binary !== undefined) {
    const bytes = Buffer.byteLength(binary, 'base64');
    return { name, ...answer, bytes, ...(bytes <= mostShownBytes && { binary }) };
  }
  const whole = answer.text ?? (answer.data === undefined ? '' : JSON.stringify(answer.data));
  const rest = 'request less with the arguments of the API, or raise budget_tokens';
  const text = cutText(whole, name, budget, { rest });
  if (text === whole) return { name, ...answer };
  const { data: _, ...facts } = answer;
  return { name, ...facts, text, truncated: true };
}

function render({ name, status, media_type: type, data, text, binary, bytes, next }: CallAnswer): string | Content[] {
  const label = [`status ${status}`, type, ...(next === undefined ? [] : [`next page: ${next}`])]
    .filter(Boolean)
    .join(' · ');
  const fence = (content: string) => fenceAsData([{ id: name, label, text: content }], 'returned by an API');
  if (bytes === undefined) return fence(text ?? (data === undefined ? '(no content)' : JSON.stringify(data)));
  const note = textContent(
    fence(`${bytes} bytes of ${type || 'unknown type'}${binary === undefined ? ', too large to show' : ''}`),
  );
  if (binary === undefined) return [note];
  if (/^image\/(?:png|jpeg|gif|webp)$/.test(type)) return [note, { type: 'image', data: binary, mimeType: type }];
  if (type.startsWith('audio/')) return [note, { type: 'audio', data: binary, mimeType: type }];
  return [note, { type: 'resource', resource: { uri: `forge://${name}/response`, mimeType: type, blob: binary } }];
}
