// Redacts everything that leaves through the registry, because the texts of upstreams, files and errors never passed the
// store. Without a secret the value is returned unchanged.
import type { Soon } from '../attempt.ts';
import type { Content } from '../content.ts';
import { LoreError } from '../error.ts';
import { runSoon, type Steps } from '../steps.ts';
import { asLine } from '../text/terminal.ts';
import type { ToolResult } from '../tool.ts';
import { cleanDeep, findSecrets, redactDeep, redactText, type Spare } from './redact.ts';

/** Most results are one short text without a secret. */
const shortText = 10_000;

export function redactResult(result: ToolResult): Soon<ToolResult> {
  const { content, structured } = result;
  const [first] = content;
  const isShort = structured === undefined && content.length === 1 && first?.type === 'text';
  if (isShort && first.text.length <= shortText && findSecrets(first.text).length === 0) return result;
  return runSoon(cleanResult(result));
}

function* cleanResult(result: ToolResult): Steps<ToolResult> {
  const { content, structured } = result;
  const cleanedContent = yield* cleanContent(content);
  const cleanStructured = yield* cleanAnswer(structured);
  if (cleanedContent === content && cleanStructured === structured) return result;
  return { content: cleanedContent, ...(structured !== undefined && { structured: cleanStructured }) };
}

function* cleanContent(content: Content[]): Steps<Content[]> {
  const [first] = content;
  if (content.length !== 1 || first?.type !== 'text') return yield* cleanAnswer(content);
  const { text } = yield* redactText(first.text);
  return text === first.text ? content : [{ ...first, text }];
}

/** Results other than a tool's: contents of a resource, messages of a prompt, completions. */
export function redactAnswer<T>(answer: T): Soon<T> {
  return runSoon(cleanAnswer(answer));
}

function cleanAnswer<T>(answer: T): Steps<T> {
  return cleanDeep(answer, undefined, isBinary);
}

/** Base64, which a redaction mark would corrupt. */
const isBinary: Spare = ({ type, uri }, key) =>
  (key === 'data' && (type === 'image' || type === 'audio')) || (key === 'blob' && uri !== undefined);

/** Length limit of one text in an error. Errors quote names and arguments, which may have megabytes. */
const longestText = 8_192;

/**
 * An error for clients: bounded, redacted, and with each sentence on one line, since they quote names and arguments with
 * any content. Its cause is kept for the log.
 */
export function redactError(error: LoreError): LoreError {
  const { word, advice, cause } = error;
  const [message, hint] = [error.message, error.hint].map((text) => text && asLine(shorten(text))) as [string, string?];
  const details = error.details && shortenAll(error.details);
  const shown = { message, hint, details, advice };
  const clean = redactDeep(shown);
  if (clean === shown && message === error.message && hint === error.hint && details === error.details) return error;
  return new LoreError(word, clean.message, {
    ...(clean.hint !== undefined && { hint: clean.hint }),
    ...(clean.details && { details: clean.details }),
    advice: clean.advice,
    cause,
  });
}

/** Keeps the beginning and the reason of a sentence; cuts at spaces, because a part of a secret is hard to recognise. */
function shorten(text: string): string {
  if (text.length <= longestText) return text;
  const [start, end] = [text.slice(0, longestText / 2), text.slice(-longestText / 2)];
  const space = end.indexOf(' ');
  return `${start.slice(0, start.lastIndexOf(' ') + 1)}…${space < 0 ? '' : end.slice(space)}`;
}

function shortenAll<T extends object>(details: T): T {
  const isLong = (value: unknown) => typeof value === 'string' && value.length > longestText;
  if (!Object.values(details).some(isLong)) return details;
  const short = Object.entries(details).map(([key, value]) => [key, isLong(value) ? shorten(value) : value]);
  return Object.fromEntries(short) as T;
}
