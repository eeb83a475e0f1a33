// Whether what a memory cites still says so. A file whose time and size are those of the snapshot is not opened; one that
// changed is read once, and only the passages cited decide. Slow disks are not waited for: what is not known in time is
// left out of the answer.

import { type FileLook, type FileText, lookAt, readLook } from '../../../files/project-file.ts';
import type { Citation } from './citation.ts';
import { hashDefinition, hasLines, hasSymbol, keepsSketch } from './citation-mark.ts';
import { type CodeSnapshot, type FileSnapshot, lineKey, maxFiles } from './citation-snapshot.ts';

/** Gone: there is no such file. Stale: the file is there and no longer says what was cited. */
export type CitationState = 'fresh' | 'stale' | 'gone';

export interface CheckedCitation {
  citation: Citation;
  state: CitationState;
}

const timeoutMs = 1_000;

/** Only what is judged before the signal is in the answer, in the order of the citations. Never throws. */
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
    // A snapshot holds all that was there when the memory was stored: what it lacks was never seen.
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

/** One word for all: gone before stale before fresh. */
export function worstState(checked: readonly CheckedCitation[]): CitationState | undefined {
  return (['gone', 'stale', 'fresh'] as const).find((word) => checked.some(({ state }) => state === word));
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

/** Without a snapshot only what is missing outright tells. */
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
