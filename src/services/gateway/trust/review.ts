// What a person sees before approving a tool: each part that differs, with hidden characters made visible, and what the new
// arguments accept that the old ones did not.
import { isObject } from '../../../core/schema.ts';
import { showHidden } from '../../../core/text/fence.ts';
import { approvedParts, type UpstreamTool, writeCanonical } from './definition.ts';

export interface DiffLine {
  readonly sign: ' ' | '-' | '+' | '!';
  readonly text: string;
}

const textParts = new Set<string>(['name', 'title', 'description']);
/** Words or lines of one part that are compared; the table of a longer comparison would be too large. */
const mostCompared = 1_500;
const context = 2;

/** Without `before`, the whole tool. */
export function diffTool(before: UpstreamTool | undefined, after: UpstreamTool): DiffLine[] {
  const parts = approvedParts.flatMap((part): DiffLine[] => {
    const [old, current] = [write(part, before?.[part]), write(part, after[part])];
    if (old === current) return [];
    const [from, to] = [old, current].map((text) => (text === '' ? [] : splitPart(part, text))) as [string[], string[]];
    return [{ sign: ' ', text: `${part}:` }, ...withContext(compare(from, to)).map(indent)];
  });
  const widened = before ? findWidened(before.inputSchema, after.inputSchema) : [];
  return [...parts, ...widened.map((text): DiffLine => ({ sign: '!', text }))];
}

function indent({ sign, text }: DiffLine): DiffLine {
  return { sign, text: `  ${text}` };
}

function write(part: string, value: unknown): string {
  if (value === undefined) return '';
  return showHidden(textParts.has(part) ? String(value) : writeCanonical(value, 2));
}

/** Texts by sentence, so that a change in a long one is found. */
function splitPart(part: string, text: string): string[] {
  const lines = text.split('\n');
  return textParts.has(part) ? lines.flatMap((line) => line.split(/(?<=[.!?;:]) +/)) : lines;
}

/** By the longest common subsequence. */
function compare(from: readonly string[], to: readonly string[]): DiffLine[] {
  const removed = from.map((text): DiffLine => ({ sign: '-', text }));
  const added = to.map((text): DiffLine => ({ sign: '+', text }));
  if (from.length > mostCompared || to.length > mostCompared) return [...removed, ...added];
  const lengths = from.map(() => new Uint16Array(to.length + 1));
  lengths.push(new Uint16Array(to.length + 1));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = from.length - 1; i >= 0; i--)
    for (let j = to.length - 1; j >= 0; j--)
      (lengths[i] as Uint16Array)[j] = from[i] === to[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < from.length || j < to.length) {
    if (i < from.length && j < to.length && from[i] === to[j]) {
      lines.push({ sign: ' ', text: from[i++] as string });
      j++;
    } else if (j >= to.length || (i < from.length && at(i + 1, j) >= at(i, j + 1)))
      lines.push(removed[i++] as DiffLine);
    else lines.push(added[j++] as DiffLine);
  }
  return lines;
}

/** Equal lines far from a change are left out. */
function withContext(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ sign }) => sign !== ' '),
  );
  return lines.flatMap((line, at): DiffLine[] => {
    if (isNear[at]) return [line];
    return at === 0 || isNear[at - 1] ? [{ sign: ' ', text: '…' }] : [];
  });
}

/** In words, what a call may contain now that it could not contain before. */
function findWidened(before: unknown, after: unknown): string[] {
  const [old, current] = [before, after].map((schema) => (isObject(schema) ? schema : {})) as [Json, Json];
  const [oldParts, parts] = [old, current].map(({ properties }) => (isObject(properties) ? properties : {})) as [
    Json,
    Json,
  ];
  const added = Object.keys(parts).filter((name) => !Object.hasOwn(oldParts, name));
  const required = new Set(Array.isArray(current.required) ? current.required : []);
  const optional = (Array.isArray(old.required) ? old.required : []).filter((name) => !required.has(name));
  const loosened = Object.keys(parts).filter((name) => {
    const [was, is] = [oldParts[name], parts[name]];
    return isObject(was) && isObject(is) && limits.some((limit) => limit in was && !(limit in is));
  });
  return [
    ...added.map((name) => `accepts the new argument "${show(name)}"`),
    ...optional.map((name) => `no longer requires "${show(String(name))}"`),
    ...loosened.map((name) => `accepts more values for "${show(name)}"`),
    ...(old.additionalProperties === false && current.additionalProperties !== false
      ? ['accepts any further argument']
      : []),
  ];
}

type Json = { [key: string]: unknown };
const limits = ['enum', 'const', 'pattern', 'maxLength', 'maximum', 'maxItems', 'format', 'type'];

function show(name: string): string {
  return showHidden(name).slice(0, 80);
}
