// Checks whether the cited code still says what a memory cites. A file with unchanged time and size is not opened; a changed
// one is read once, and only the cited passages decide. Results that are not known in time are omitted.

import { type FileLook, type FileText, lookAt, readLook } from '../../../files/project-file.ts';
import type { Citation } from './citation.ts';
import { hashDefinition, hasLines, hasSymbol, keepsSketch } from './citation-mark.ts';
import { type CodeSnapshot, type FileSnapshot, lineKey, maxFiles } from './citation-snapshot.ts';

/** Gone: the file does not exist. Stale: it no longer contains the cited content. */
export type CitationState = 'fresh' | 'stale' | 'gone';

export interface CheckedCitation {
  citation: Citation;
  state: CitationState;
}

const timeoutMs = 1_000;

/** Only results known before the signal, in the order of the citations. Never throws. */
export async function checkCitations(
  citations: readonly Citation[],
  root: string,
  snapshot?: CodeSnapshot,
  signal = AbortSignal.timeout(timeoutMs),
): Promise<CheckedCitation[]> {
  const states = new Map<Citation, CitationState>();
  const names = [...new Set(citations.map(({ file }) => file))].slice(0, maxFiles);
  const work = names.map(async (name) => {
    const then = snapshot && Object.hasOwn(snapshot.files, name) ? snapshot.files[name] : undefined;
    // A snapshot contains everything that existed when the memory was stored: missing entries were never seen.
    if (snapshot && !then) return;
    const cited = citations.filter(({ file }) => file === name);
    for (const [citation, state] of await judgeFile(root, name, cited, then)) states.set(citation, state);
  });
  await orAborted(Promise.allSettled(work), signal);
  return citations.flatMap((citation) => {
    const state = states.get(citation);
    return state ? [{ citation, state }] : [];
  });
}

/** One word for all: gone only if every file is, because a memory that cites another one may still be true. */
export function stateOfAll(checked: readonly CheckedCitation[]): CitationState | undefined {
  const [first, ...others] = new Set(checked.map(({ state }) => state));
  return others.length > 0 ? 'stale' : first;
}

async function judgeFile(
  root: string,
  name: string,
  citations: readonly Citation[],
  then: FileSnapshot | undefined,
): Promise<[Citation, CitationState][]> {
  const look = await lookAt(root, name);
  if (look === undefined) return [];
  if (look === 'gone') {
    // A bare name is seldom a path from the root: without a snapshot its absence there proves nothing.
    return then || name.includes('/') ? citations.map((citation) => [citation, 'gone']) : [];
  }
  if (then && look.modified === then.modified && look.size === then.size)
    return citations.map((citation) => [citation, 'fresh']);
  return judgeText(look, citations, then);
}

async function judgeText(
  look: FileLook,
  citations: readonly Citation[],
  then: FileSnapshot | undefined,
): Promise<[Citation, CitationState][]> {
  const content = await readLook(look);
  if (content === undefined || then?.hash === content.hash) return citations.map((citation) => [citation, 'fresh']);
  return citations.map((citation) => {
    const holds = then ? stillSays(citation, content, then) : mayStillSay(citation, content);
    return [citation, holds ? 'fresh' : 'stale'];
  });
}

function stillSays({ symbol, line, endLine, said }: Citation, content: FileText, then: FileSnapshot): boolean {
  const { text } = content;
  const { symbols = {}, lines: marked = {}, said: heard = [], sketch } = then;
  if (said?.some((word) => heard.includes(word) && !text.includes(word))) return false;
  const definition = symbol !== undefined && Object.hasOwn(symbols, symbol) ? symbols[symbol] : undefined;
  if (symbol !== undefined && definition !== undefined) {
    return hasSymbol(text, symbol) && (definition === '' || hashDefinition(text, symbol) === definition);
  }
  const mark = line === undefined ? undefined : marked[lineKey(line, endLine)];
  if (line !== undefined && mark !== undefined) return hasLines(content.lines, mark, line, endLine);
  return sketch === undefined || keepsSketch(content.lines, sketch);
}

/** Without a snapshot only missing symbols and lines count. */
function mayStillSay({ symbol, line, sure }: Citation, content: FileText): boolean {
  if (symbol !== undefined && sure && !hasSymbol(content.text, symbol)) return false;
  return line === undefined || line <= content.lines.length;
}

async function orAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  let stop = (): void => {};
  const aborted = new Promise<void>((done) => {
    stop = done;
    signal.addEventListener('abort', stop, { once: true });
  });
  await Promise.race([work, aborted]);
  signal.removeEventListener('abort', stop);
}
