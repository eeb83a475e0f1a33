// Operations on shared memories, as they travel: canonical JSON, one line each. They come from other people, so every one is
// checked before it is used, and what is not understood is skipped and reported.
import { hashHex } from '../../core/crypto.ts';
import { isObject } from '../../core/schema.ts';
import { isSharedTime } from './clock.ts';
import { ownEdges } from './export.ts';

export const opKinds = ['put', 'amend', 'supersede', 'forget', 'restore', 'link', 'unlink', 'retract'] as const;
export type OpKind = (typeof opKinds)[number];

/** All that leaves the database of a memory. Times are milliseconds; `null` clears a field. */
export interface SharedFields {
  title?: string;
  text?: string;
  kind?: string;
  knowledge?: string;
  importance?: number;
  confidence?: number;
  created?: number;
  said?: number | null;
  expires?: number | null;
}

export interface SharedLink {
  kind: string;
  to: string;
  weight: number;
}

export interface SharedOp {
  op: OpKind;
  /** The memory. */
  id: string;
  at: string;
  dev: string;
  /** The name its author goes by; proved only by a signature. */
  by: string;
  /** The number of retractions before it: a retraction ends everything of its own number and below. */
  gen: number;
  /** The operations on this memory that its author had seen last, by `nameOp`. */
  prev: readonly string[];
  set?: SharedFields;
  add?: readonly string[];
  remove?: readonly string[];
  /** The memory that supersedes it, and since when. */
  with?: string;
  since?: number;
  link?: SharedLink;
  /** Whose key signed it, by the list of signers. It is not sent: everybody checks for themselves. */
  signer?: string;
  /** Written in this database; whatever the remote says about its device. It is not sent either. */
  here?: boolean;
}

export function nameOp({ at, dev }: Pick<SharedOp, 'at' | 'dev'>): string {
  return `${at}@${dev}`;
}

export function authorOf({ signer, by }: SharedOp): string {
  return signer ?? by;
}

/** The other memory that it depends on. */
export function targetOf({ with: successor, link }: SharedOp): string {
  return successor ?? link?.to ?? '';
}

/** Without author and device, which the file names once. Equal operations have equal lines, except for the salt. */
export function writeOp(
  { dev: _, by: __, signer: ___, here: ____, gen, prev, ...rest }: SharedOp,
  salt?: string,
): string {
  return writeCanonical({
    ...rest,
    ...(gen > 0 && { gen }),
    ...(prev.length > 0 && { prev: [...prev].sort() }),
    ...(salt !== undefined && { salt }),
  });
}

export function hashOp(op: SharedOp): string {
  return hashHex(`${op.dev}\n${op.by}\n${writeOp(op)}`).slice(0, 16);
}

/** Sorted keys, no spaces, nothing undefined. */
export function writeCanonical(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
}

const longest = { id: 100, name: 200, word: 64, text: 1_000_000 };
const mostPrev = 64;
const mostTags = 64;
/** Of a `Date`. */
const latest = 8.64e15;
const idForm = /^n_[0-9a-z]+$/;
const nameForm = /^[0-9a-y][0-9a-z]{12}@[0-9a-z_]{1,40}$/;

const isText =
  (max: number) =>
  (value: unknown): boolean =>
    typeof value === 'string' && value.length <= max;
const isShare = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1;
const isTime = (value: unknown): boolean =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= latest;
const isTimeOrNull = (value: unknown): boolean => value === null || isTime(value);

const fields: { readonly [field in keyof Required<SharedFields>]: (value: unknown) => boolean } = {
  title: isText(longest.text),
  text: isText(longest.text),
  kind: isText(longest.word),
  knowledge: isText(longest.word),
  importance: isShare,
  confidence: isShare,
  created: isTime,
  said: isTimeOrNull,
  expires: isTimeOrNull,
};

const isId = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= longest.id && idForm.test(value);
const isTags = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= mostTags && value.every(isText(longest.word));
const isLink = (value: unknown): boolean =>
  isObject(value) &&
  isText(longest.word)(value.kind) &&
  !ownEdges.includes(value.kind as string) &&
  isId(value.to) &&
  typeof value.weight === 'number' &&
  value.weight >= 0 &&
  value.weight <= 10;

function isFields(value: unknown): boolean {
  if (!isObject(value)) return false;
  return Object.entries(value).every(
    ([key, one]) => Object.hasOwn(fields, key) && fields[key as keyof SharedFields](one),
  );
}

/** What each kind must have, besides the parts that all have. */
const isWhole: { readonly [kind in OpKind]: (op: Record<string, unknown>) => boolean } = {
  put: ({ set }) => isFields(set) && typeof (set as SharedFields).text === 'string',
  amend: ({ set, add, remove }) => [set, add, remove].some((part) => part !== undefined),
  supersede: ({ with: successor, since, id }) => isId(successor) && successor !== id && isTime(since),
  forget: () => true,
  restore: () => true,
  link: ({ link }) => isLink(link),
  unlink: ({ link }) => isLink(link),
  retract: () => true,
};

const common = ['op', 'id', 'at', 'gen', 'prev', 'salt'];
/** What each kind may have besides. */
const parts: { readonly [kind in OpKind]: readonly string[] } = {
  put: ['set', 'add'],
  amend: ['set', 'add', 'remove'],
  supersede: ['with', 'since'],
  forget: [],
  restore: [],
  link: ['link'],
  unlink: ['link'],
  retract: [],
};

/** Undefined if it is not an operation that this version understands completely. */
export function readOp(line: string, dev: string, by: string): SharedOp | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { salt, ...rest } = value;
  const { op, id, at, gen = 0, prev = [], set, add, remove } = rest;
  const kind = opKinds.find((one) => one === op);
  const fits =
    kind !== undefined &&
    Object.keys(value).every((key) => common.includes(key) || parts[kind].includes(key)) &&
    isId(id) &&
    isSharedTime(at) &&
    Number.isSafeInteger(gen) &&
    (gen as number) >= 0 &&
    Array.isArray(prev) &&
    prev.length <= mostPrev &&
    prev.every((name) => typeof name === 'string' && nameForm.test(name)) &&
    (set === undefined || isFields(set)) &&
    [add, remove].every((tags) => tags === undefined || isTags(tags)) &&
    (salt === undefined || isText(longest.word)(salt)) &&
    isWhole[kind](rest);
  return fits ? ({ ...rest, gen, prev, dev, by } as unknown as SharedOp) : undefined;
}
