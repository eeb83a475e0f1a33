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
import { layOut, readPart } from './part.ts';

export interface Room {
  answers: AnswerStore;
  /** In tokens. */
  budget: number;
  caller: Caller;
}

/** Models see images and hear audio; other files are for the program, so only small ones are sent without being asked for. */
const mostBytes = { media: 1024 * 1024, other: 16 * 1024 };
/** For the sentence that explains how to read the rest. */
const tokensOfNote = 80;
/** Base64 takes a token for about two characters. */
const bytesPerToken = 1.5;

type AnswerFacts = Pick<CallAnswer, 'name' | 'kind' | 'state'>;

/** Most answers have no files and fit: those wait for nothing. */
export function fitAnswer(facts: AnswerFacts, { files = [], ...answer }: ProvidedAnswer, room: Room): Soon<CallAnswer> {
  const whole = answer.text ?? (answer.data === undefined ? '' : JSON.stringify(answer.data));
  const fits = estimateTokens(whole, room.budget) <= room.budget;
  return fits && files.length === 0 ? { ...facts, ...answer } : fitParts(facts, answer, { files, fits }, room);
}

async function fitParts(
  facts: AnswerFacts,
  answer: Omit<ProvidedAnswer, 'files'>,
  { files, fits }: { files: readonly AnswerFile[]; fits: boolean },
  room: Room,
): Promise<CallAnswer> {
  const shown = await Promise.all(files.map((file, at) => fitFile(`forge://${facts.name}/${at}`, file, room)));
  const own = { ...facts, ...(shown.length > 0 && { files: shown }) };
  if (fits) return { ...own, ...answer };
  const { data, text, ...rest } = answer;
  const stored = text === undefined ? layOut(await redactAnswer(data)) : (await redactSoon(text)).text;
  return { ...own, ...rest, ...pageOf(await room.answers.put(stored, room.caller), stored, 0, room.budget) };
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
