// Fits an answer into the caller's budget. The rest is stored, redacted, and read in parts: a part of structured data would be
// wrong data, so it is shown as text.
import type { Soon } from '../../../core/attempt.ts';
import type { Caller } from '../../../core/call.ts';
import { redactAnswer } from '../../../core/secret/outgoing.ts';
import { redactSoon } from '../../../core/secret/redact.ts';
import { endOfPage, estimateTokens } from '../../../core/text/budget.ts';
import type { AnswerFile, ProvidedAnswer, ToolArguments } from '../../../core/tool-provider.ts';
import { type CallAnswer, isAudio, isImage, type ShownFile } from './answer.ts';
import type { AnswerStore } from './answers.ts';
import { ownKind } from './own.ts';
import { layOut, readPart } from './part.ts';
import type { SessionAnswers } from './shown.ts';

export interface Room {
  answers: AnswerStore;
  /** In tokens. */
  budget: number;
  caller: Caller;
  /** What the client was shown; absent if nothing is cited. */
  shown?: SessionAnswers | undefined;
}

/** Models see images and hear audio; other files are for the program, so only small ones are sent without being asked for. */
const mostBytes = { media: 1024 * 1024, other: 16 * 1024 };
/** For the sentence that explains how to read the rest. */
const tokensOfNote = 80;
/** Data beside a text is shown up to this size. */
const tokensOfData = 300;
/** Base64 takes a token for about two characters. */
const bytesPerToken = 1.5;

type AnswerFacts = Pick<CallAnswer, 'name' | 'kind' | 'state'>;
type PlainAnswer = Omit<ProvidedAnswer, 'files'>;

/** Most answers are short and have no files: those wait for nothing. */
export function fitAnswer(facts: AnswerFacts, { files = [], ...answer }: ProvidedAnswer, room: Room): Soon<CallAnswer> {
  const { text, data } = answer;
  const whole = text ?? (data === undefined ? '' : JSON.stringify(data));
  const fits = estimateTokens(whole, room.budget) <= room.budget;
  const hasBoth = text !== undefined && data !== undefined && facts.kind !== ownKind;
  const digest = files.length === 0 && !hasBoth ? room.shown?.digest(whole) : undefined;
  if (digest !== undefined) return fitRepeated(facts, answer, { digest, fits }, room);
  return fits && files.length === 0 && !hasBoth
    ? { ...facts, ...answer }
    : fitParts(facts, answer, { files, fits }, room);
}

/** A long answer: cited if this client was shown the same. */
async function fitRepeated(
  facts: AnswerFacts,
  answer: PlainAnswer,
  { digest, fits }: { digest: string; fits: boolean },
  room: Room,
): Promise<CallAnswer> {
  const earlier = room.shown?.find(digest);
  if (!earlier) {
    const fitted = await fitParts(facts, answer, { files: [], fits }, room);
    room.shown?.note(digest, facts.name, fitted.rest?.name);
    return fitted;
  }
  const { data: _, text: __, ...rest } = answer;
  const stored = await writeOut(answer);
  earlier.handle ??= await room.answers.put(stored, room.caller);
  return { ...facts, ...rest, same: { tool: earlier.tool, name: earlier.handle, of: stored.length } };
}

/** As it is stored. */
async function writeOut({ text, data }: PlainAnswer): Promise<string> {
  return text === undefined ? layOut(await redactAnswer(data)) : (await redactSoon(text)).text;
}

async function fitParts(
  facts: AnswerFacts,
  answer: PlainAnswer,
  { files, fits }: { files: readonly AnswerFile[]; fits: boolean },
  room: Room,
): Promise<CallAnswer> {
  const shown = await Promise.all(files.map((file, at) => fitFile(`forge://${facts.name}/${at}`, file, room)));
  const { data, text, ...rest } = answer;
  const own = { ...facts, ...rest, ...(shown.length > 0 && { files: shown }), ...(await fitData(answer, facts, room)) };
  if (fits) return { ...own, ...(text !== undefined ? { text } : { data }) };
  const stored = await writeOut(answer);
  return { ...own, ...pageOf(await room.answers.put(stored, room.caller), stored, 0, room.budget) };
}

/** Data beside a text that says something else: shown if it is short, and stored otherwise. */
async function fitData(
  { text, data }: PlainAnswer,
  { kind }: AnswerFacts,
  { answers, caller }: Room,
): Promise<Pick<CallAnswer, 'data' | 'data_rest'>> {
  if (text === undefined || data === undefined) return {};
  if (kind === ownKind || estimateTokens(JSON.stringify(data), tokensOfData) <= tokensOfData) return { data };
  const stored = await writeOut({ data });
  return { data_rest: { name: await answers.put(stored, caller), offset: 0, of: stored.length } };
}

/** A part of a stored answer. If the part is too long as well, it is stored in turn. */
export async function readStored(name: string, args: ToolArguments, room: Room): Promise<CallAnswer> {
  const facts = { name, kind: 'stored answer' };
  const content = await room.answers.get(name, room.caller);
  const part = readPart(name, content, args);
  if ('text' in part) return fitAnswer(facts, part, room);
  if (typeof content === 'string') return { ...facts, ...pageOf(name, content, part.offset, room.budget) };
  return { ...facts, files: [partOfFile(name, content, part.offset, room.budget)] };
}

function pageOf(name: string, text: string, start: number, budget: number): Pick<CallAnswer, 'text' | 'rest'> {
  // A page is never empty, so following the offsets reaches the end.
  const end = Math.max(endOfPage(text, start, budget - tokensOfNote), Math.min(start + 1, text.length));
  return {
    text: text.slice(start, end),
    ...(end < text.length && { rest: { name, offset: end, of: text.length } }),
  };
}

async function fitFile(uri: string, { media_type, bytes }: AnswerFile, { answers, caller }: Room): Promise<ShownFile> {
  const isMedia = isImage(media_type) || isAudio(media_type);
  const file = { uri, media_type, bytes: bytes.length };
  if (bytes.length <= (isMedia ? mostBytes.media : mostBytes.other)) return { ...file, blob: toBase64(bytes) };
  return { ...file, rest: { name: await answers.put(bytes, caller), offset: 0, of: bytes.length } };
}

function partOfFile(name: string, content: Buffer, start: number, budget: number): ShownFile {
  const end = Math.min(content.length, start + Math.floor(budget * bytesPerToken));
  return {
    uri: `forge://${name}/${start}`,
    media_type: 'application/octet-stream',
    bytes: end - start,
    blob: toBase64(content.subarray(start, end)),
    ...(end < content.length && { rest: { name, offset: end, of: content.length } }),
  };
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
