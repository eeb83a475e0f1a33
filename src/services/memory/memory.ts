// A memory: a node of kind `memory`, its data, and the view that clients get.
import { LoreError } from '../../core/error.ts';
import * as s from '../../core/schema.ts';
import type { Node } from '../../graph/node.ts';
import { isUser } from '../../graph/project/user.ts';
import type { KnowledgeType, MemoryKind } from './kinds.ts';
import { writeDay } from './time/calendar.ts';

const hour = 3_600_000;
const day = 24 * hour;

export interface MemoryData {
  kind: MemoryKind;
  knowledge: KnowledgeType;
  tags?: readonly string[];
  session?: string;
  /** Its index among the memories of its session, from 0. */
  place?: number;
  /** Why `learn` stored it. */
  reason?: string;
  /** State of the cited files when it was stored. */
  cited?: unknown;
  /** Number of redacted secrets. */
  redacted?: number;
  /** How often the statement was repeated. */
  repeated?: number;
  /** When it was stated, if it was stored later. */
  said?: number;
  /** Sources and sessions of later repetitions. */
  sources?: readonly string[];
  sessions?: readonly string[];
  /** Number of older sources that are no longer listed. */
  droppedSources?: number;
  /** Texts that others wrote at the same time as this one, until somebody edits it. */
  rivals?: readonly { text: string; by: string }[];
  /** After this time it ranks lower, because `learn` considered it short-lived. */
  fades?: number;
}

export function dataOf(node: Pick<Node, 'data'>): MemoryData {
  return node.data as unknown as MemoryData;
}

/** Without enums, because every session of every agent pays tokens for the schema. */
export const memoryShape = {
  id: s.string(),
  text: s.string(),
  /** The preceding text. */
  context: s.optional(s.string()),
  kind: s.string(),
  knowledge: s.string(),
  /** Only with `explain`. */
  importance: s.optional(s.number()),
  created: s.string(),
  source: s.optional(s.string()),
  /** If the source does not name it. */
  session: s.optional(s.string()),
  tags: s.optional(s.list(s.string())),
  expires: s.optional(s.string()),
  superseded_by: s.optional(s.string()),
  may_be_outdated_by: s.optional(s.string()),
  /** If it is not the caller's own. */
  project: s.optional(s.string()),
  project_name: s.optional(s.string()),
} as const;

const memory = s.object(memoryShape);
export type MemoryView = s.Infer<typeof memory>;

/** Includes the project unless it is one of the caller's own. */
export function viewMemory(node: Node, own: readonly string[]): MemoryView {
  const {
    kind,
    knowledge,
    tags,
    session,
    sources = [],
    droppedSources,
    rivals = [],
    said = node.createdAt,
  } = dataOf(node);
  const origin = nameSources([node.source, ...sources], droppedSources);
  const source = rivals.length === 0 ? origin : [origin || 'here', ...rivals.map(nameRival)].join('; ');
  return {
    id: node.id,
    text: node.text,
    ...(node.title !== '' && { context: node.title }),
    kind,
    knowledge,
    created: toSeconds(said),
    ...(source !== '' && { source }),
    ...(session !== undefined && session !== node.source && { session }),
    ...(tags && tags.length > 0 && { tags: [...tags] }),
    ...(node.validTo !== undefined && { expires: toSeconds(node.validTo) }),
    ...(node.supersededBy !== undefined && { superseded_by: node.supersededBy }),
    ...(!own.includes(node.project) && { project: isUser(node.project) ? 'user' : node.project }),
  };
}

/** Readers do not need milliseconds. */
function toSeconds(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

const mostSources = 3;

function nameSources(all: readonly string[], dropped = 0): string {
  const given = all.filter((source) => source !== '');
  const named = given.slice(0, mostSources).join(', ');
  const more = given.length - mostSources + dropped;
  return more > 0 ? `${named} and ${more} more` : named;
}

/** Readers must see that it is disputed, wherever they see where it came from. */
function nameRival({ text, by }: { text: string; by: string }): string {
  return `disputed by ${by || 'another device'}: ${JSON.stringify(text.slice(0, longestRival))}`;
}

const longestRival = 300;

/** One line about a memory, next to its text. */
export function labelMemory(view: MemoryView): string {
  const {
    knowledge,
    kind,
    created,
    source,
    tags,
    expires,
    superseded_by: successor,
    project,
    project_name: name,
  } = view;
  const words = [knowledge === 'note' ? kind : knowledge, writeDay(Date.parse(created))];
  if (tags !== undefined) words.push(tags.map((tag) => `#${tag}`).join(' '));
  if (source !== undefined) words.push(`from ${source}`);
  if (expires !== undefined) words.push(`until ${writeDay(Date.parse(expires))}`);
  if (successor !== undefined) words.push(`superseded by ${successor}`);
  if (view.may_be_outdated_by !== undefined) words.push(`may be outdated by ${view.may_be_outdated_by}`);
  if (project !== undefined) words.push(project === 'user' ? 'about the user' : `in ${name ?? project}`);
  return words.join(' · ');
}

const isDate = /^\d{4}-\d\d-\d\d$/;
const spans: Record<string, number> = { h: hour, d: day, w: 7 * day, m: 30 * day, y: 365 * day };

/** `never`, a duration like 12h, 30d or 2w, or a date in the user's time zone. */
export function readExpiry(text: string, now: number): number | undefined {
  if (text === 'never') return undefined;
  const [, count, unit] = /^(\d{1,5})\s*([hdwmy])$/.exec(text) ?? [];
  const at =
    count && unit
      ? now + Number(count) * (spans[unit] as number)
      : Date.parse(isDate.test(text) ? `${text}T00:00` : text);
  if (at > now) return at;
  throw new LoreError(
    'invalid_input',
    `Cannot set expires to "${text}": it is ${at <= now ? 'in the past' : 'not a time'}`,
    {
      hint: 'Use "never", a duration (12h, 30d, 2w) or a date (2027-01-31).',
      details: { path: 'arguments.expires', expected: 'never, a duration or a future date', received: text },
    },
  );
}

/** A time in another program's format: a text, or seconds or milliseconds since the epoch. */
export function readTime(written: unknown): number | undefined {
  const isNumber = typeof written === 'number' || /^\d{9,14}(?:\.\d+)?$/.test(String(written));
  const number = isNumber ? Number(written) : Number.NaN;
  const at = isNumber ? (number < 1e11 ? number * 1000 : number) : Date.parse(String(written ?? ''));
  return Number.isFinite(at) && at > 0 ? Math.round(at) : undefined;
}
