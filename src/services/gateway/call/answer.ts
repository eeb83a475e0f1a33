// Turns the result of a mounted tool into an answer: its texts, its files, and its data if there is no text. An error that the
// tool reports becomes an error of ours, with the tool's own words as data.
import { tasksExtension } from '../../../client/task.ts';
import { UpstreamFailure } from '../../../client/wire.ts';
import { CapabilityMissing, questionCapabilities } from '../../../core/call.ts';
import type { Content } from '../../../core/content.ts';
import { type ErrorWord, LoreError } from '../../../core/error.ts';
import { isObject } from '../../../core/schema.ts';
import type { AnswerFile, ProvidedAnswer } from '../../../core/tool-provider.ts';

type Json = { readonly [key: string]: unknown };

/** A result as its server sent it. */
export interface PlainResult {
  readonly content: Content[];
  readonly structured: unknown;
}

export function readPlain(name: string, result: Json): PlainResult {
  const { blocks } = readBlocks(name, result);
  return { content: blocks as unknown as Content[], structured: result.structuredContent };
}

function readBlocks(name: string, result: Json): { blocks: Json[]; text: string } {
  const blocks = (Array.isArray(result.content) ? result.content : []).filter(isObject);
  const text = blocks.flatMap(readText).join('\n');
  if (result.isError === true) throw reportedError(name, text || JSON.stringify(result.structuredContent ?? ''));
  return { blocks, text };
}

export function readAnswer(name: string, result: Json): ProvidedAnswer {
  const { blocks, text } = readBlocks(name, result);
  const files = blocks.flatMap(readFile);
  const { structuredContent: data } = result;
  const isText = data === undefined || (text !== '' && isOnlyText(text, data));
  return {
    ...(isText || (text !== '' && !isSameJson(text, data)) ? { text } : {}),
    ...(!isText && { data }),
    ...(files.length > 0 && { files }),
  };
}

function readText(block: Json): string[] {
  const { type, text, uri, name, title, description } = block;
  if (type === 'text' && typeof text === 'string') return [text];
  if (type === 'resource_link') {
    const about = typeof description === 'string' ? ` (${description})` : '';
    return [`${String(title ?? name ?? '')}: ${String(uri)}${about}`];
  }
  const { resource } = block;
  if (type !== 'resource' || !isObject(resource)) return [];
  return typeof resource.text === 'string' ? [`${String(resource.uri)}:\n${resource.text}`] : [String(resource.uri)];
}

function readFile(block: Json): AnswerFile[] {
  const { type, data, mimeType, resource } = block;
  const inner = type === 'resource' && isObject(resource) ? resource : {};
  const base64 = type === 'image' || type === 'audio' ? data : inner.blob;
  if (typeof base64 !== 'string') return [];
  const media = mimeType ?? inner.mimeType;
  return [{ media_type: typeof media === 'string' ? media : '', bytes: Buffer.from(base64, 'base64') }];
}

/** Some libraries return every text also as data. */
function isOnlyText(text: string, data: unknown): boolean {
  return (
    isObject(data) && Object.keys(data).length === 1 && (String(data.result) === text || isSameJson(text, data.result))
  );
}

/** Servers repeat their data as text for clients that do not read it. */
function isSameJson(text: string, data: unknown): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(data);
  } catch {
    return false;
  }
}

/** By the words of the error; only a rough guide for programs, since a model reads the text. */
const words: readonly [RegExp, ErrorWord][] = [
  [/\b(?:not found|no such|does not exist|doesn't exist|ENOENT|unknown (?:tool|resource)|404)\b/i, 'not_found'],
  [/\b(?:denied|forbidden|unauthori[sz]ed|not allowed|EACCES|EPERM|40[13])\b/i, 'forbidden'],
  [/\b(?:rate limit|too many|quota|429)\b/i, 'limit_exceeded'],
  [/\b(?:timed? ?out|deadline)\b/i, 'timeout'],
  [/\b(?:invalid|required|missing|expected|must be|validation|malformed|parse)\b/i, 'invalid_input'],
];
const longestText = 4_000;

function wordOf(text: string): ErrorWord {
  const found = words.find(([pattern]) => pattern.test(text.slice(0, longestText)))?.[1];
  // A time limit of the tool is not one of this server.
  return found === undefined || found === 'timeout' ? 'conflict' : found;
}

function reportedError(name: string, text: string): LoreError {
  return new LoreError(wordOf(text), `Cannot run "${name}": the tool reported an error`, {
    details: { response: text.slice(0, longestText) },
    // By which a known fix is found.
    cause: new Error(text.slice(0, longestText)),
  });
}

/** For errors of the protocol, which also contain foreign words. They stay such errors for a client of the server alone. */
export function explainFailure(name: string, error: unknown, isAlone = false): unknown {
  if (!(error instanceof UpstreamFailure)) return error;
  const { code, message, data } = error;
  const missing = code === missingCapability ? findMissing(data) : {};
  if (Object.keys(missing).length > 0) return new CapabilityMissing(missing);
  const word = code === -32602 ? 'invalid_input' : isAlone ? 'unavailable' : wordOf(message);
  const more = data === undefined ? '' : ` ${JSON.stringify(data)}`;
  return new LoreError(word, `Cannot run "${name}": its server answered with error ${code}`, {
    details: { code, response: `${message}${more}`.slice(0, longestText) },
    cause: error,
  });
}

const missingCapability = -32021;

/** The server needs to ask something that the client of this call cannot answer. */
function findMissing(data: unknown): { [kind: string]: object } {
  const required = isObject(data) && isObject(data.requiredCapabilities) ? data.requiredCapabilities : {};
  const { extensions } = required;
  const { elicitation, sampling, roots } = required;
  return {
    ...(isObject(elicitation) &&
      (isObject(elicitation.url) ? questionCapabilities.url : questionCapabilities.elicitation)),
    ...(isObject(sampling) && questionCapabilities.sampling),
    ...(isObject(roots) && questionCapabilities.roots),
    ...(isObject(extensions) && tasksExtension in extensions && { extensions: { [tasksExtension]: {} } }),
  };
}
