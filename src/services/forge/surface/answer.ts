// What tool_read and tool_write return, and how it is shown: data fenced as foreign, and how to read what did not fit.
import { type Content, text as textContent } from '../../../core/content.ts';
import * as s from '../../../core/schema.ts';
import { fenceAsData } from '../../../core/text/fence.ts';
import { type Style, wrapText } from '../../../core/text/terminal.ts';
import { toolSourceStates } from '../../../core/tool-provider.ts';
import { stateLabels } from './find.ts';
import { ownKind } from './own.ts';

/** Stored under a name that tool_read accepts; the next part begins at the offset. */
const rest = s.object({ name: s.string(), offset: s.integer(), of: s.integer() });

const file = s.object({
  uri: s.string(),
  media_type: s.string(),
  bytes: s.integer(),
  /** Base64. */
  blob: s.optional(s.string()),
  rest: s.optional(rest),
});

export const callAnswer = s.object({
  name: s.string(),
  /** What the source is, such as "API". */
  kind: s.string(),
  status: s.optional(s.integer()),
  media_type: s.optional(s.string()),
  data: s.optional(s.json()),
  text: s.optional(s.string()),
  /** Of the text. */
  rest: s.optional(rest),
  /** Stored data, if there is also a text that says something else. */
  data_rest: s.optional(rest),
  /** The client was shown the same answer of this tool before; it can be read again under this name. */
  same: s.optional(s.object({ tool: s.string(), name: s.string(), of: s.integer() })),
  files: s.optional(s.list(file)),
  next: s.optional(s.string()),
  /** Unless it is ready. */
  state: s.optional(s.oneOf(toolSourceStates)),
});

export type CallAnswer = s.Infer<typeof callAnswer>;
export type ShownFile = s.Infer<typeof file>;
type Rest = s.Infer<typeof rest>;

export function renderAnswer(answer: CallAnswer): Content[] {
  const { name, kind, status, media_type: type, data, text, files = [], next, state, rest } = answer;
  const label = [
    ...(state === undefined ? [] : [stateLabels[state]]),
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(type ? [type] : []),
    ...(next === undefined ? [] : [`next page: ${next}`]),
  ].join(' · ');
  if (answer.same) return [textContent(cite(answer.same))];
  const isBoth = text !== undefined && data !== undefined && kind !== ownKind;
  const parts = [
    text ?? (data === undefined ? undefined : JSON.stringify(data)),
    ...(isBoth ? [JSON.stringify(data)] : []),
    ...files.map(describeFile),
  ];
  const shown = parts.filter((part) => part !== undefined).join('\n') || '(no content)';
  const fenced =
    kind === ownKind ? shown : fenceAsData([{ id: name, label, text: shown }], `returned by ${withArticle(kind)}`);
  const more = [
    ...(rest ? [explainRest(rest, 'characters', text?.length ?? 0)] : []),
    ...(answer.data_rest ? [explainData(answer.data_rest)] : []),
  ].map((line) => `\n${line}`);
  return [
    textContent([fenced, ...more].join('')),
    ...files.flatMap((one) => (one.blob === undefined ? [] : [toContent(one, one.blob)])),
  ];
}

/** Names of tools are ours, so this needs no fence. */
function cite({ tool, name, of }: NonNullable<CallAnswer['same']>): string {
  return `[The answer is the same as an earlier one of ${tool} in this session, of ${of} characters. tool_read with name "${name}" and arguments {"offset": 0} shows it again]`;
}

function explainData({ name, of }: Rest): string {
  return `[The tool also returned data, ${of} characters of JSON. tool_read with name "${name}" reads it: arguments {"offset": 0}, {"grep": "text"} or {"path": "/items/*/name"}]`;
}

/** For a model, which has never seen these arguments. */
function explainRest({ name, offset, of }: Rest, unit: string, shown: number): string {
  return `[… truncated: ${offset - shown} to ${offset} of ${of} ${unit} shown. tool_read with name "${name}" reads more: arguments {"offset": ${offset}} continue, {"grep": "text"} finds lines, {"path": "/items/*/name"} selects from JSON]`;
}

export function showAnswer({ data, text, status, files = [], rest }: CallAnswer, { width, dim }: Style): string {
  const whole = text ?? (data === undefined ? undefined : JSON.stringify(data, null, 2));
  const lines = [
    ...(whole === undefined ? [] : wrapText(whole, width)),
    ...files.map(describeFile),
    ...(rest
      ? [dim(`… ${rest.offset} of ${rest.of}: lore tool read ${rest.name} --arguments '{"offset": ${rest.offset}}'`)]
      : []),
  ];
  return lines.length > 0 ? lines.join('\n') : `${status === undefined ? '' : `status ${status}, `}no content`;
}

function describeFile({ media_type: type, bytes, rest }: ShownFile): string {
  const stored = rest ? `; tool_read with name "${rest.name}" and {"offset": ${rest.offset}} reads it as base64` : '';
  return `${bytes} bytes of ${type || 'unknown type'}${stored}`;
}

/** "an API", "an MCP server", "a program". */
function withArticle(kind: string): string {
  return `${/^(?:[aeiou]|MCP)/i.test(kind) ? 'an' : 'a'} ${kind}`;
}

function toContent({ uri, media_type: type }: ShownFile, blob: string): Content {
  if (isImage(type)) return { type: 'image', data: blob, mimeType: type };
  if (isAudio(type)) return { type: 'audio', data: blob, mimeType: type };
  return { type: 'resource', resource: { uri, mimeType: type, blob } };
}

export function isImage(type: string): boolean {
  return /^image\/(?:png|jpeg|gif|webp)$/.test(type);
}

export function isAudio(type: string): boolean {
  return type.startsWith('audio/');
}
