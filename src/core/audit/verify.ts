// Checks the audit log against its chain, its keys and the end that the database recorded, and names every line that
// fails. Files are read in pieces: a log may be larger than memory.
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AuditHead,
  type AuditLine,
  auditFile,
  auditHeadFile,
  auditItself,
  beginning,
  fullFile,
  headMissing,
  nameFull,
  readHead,
  readLine,
} from './chain.ts';
import type { AuditKeys } from './key.ts';

interface AuditProblem {
  file: string;
  line: number;
  problem: string;
}

interface AuditReport {
  lines: number;
  problems: AuditProblem[];
  /** There were more problems than are listed. */
  more: boolean;
}

interface Placed {
  file: string;
  line: number;
  text: string;
  /** An unterminated line may still be in the process of being written. */
  whole: boolean;
}

const maxProblems = 20;

interface Known {
  keys: AuditKeys;
  /** The end of the chain as the database recorded it. Must be read before the log. */
  recorded?: Pick<AuditHead, 'seq' | 'hash'> | undefined;
}

export async function verifyAudit(folder: string, { keys, recorded }: Known): Promise<AuditReport> {
  // First, because lines appended during the check are not included.
  const head = findHead(folder);
  const report: AuditReport = { lines: 0, problems: [], more: false };
  const complain = ({ file, line }: Pick<Placed, 'file' | 'line'>, problem: string) => {
    if (report.problems.length < maxProblems) report.problems.push({ file, line, problem });
    else report.more = true;
  };
  let last: Pick<AuditHead, 'seq' | 'hash'> = beginning;
  /** Unreadable lines since then: each may have been a line. */
  let unread = 0;
  let lastPlace: Pick<Placed, 'file' | 'line'> = { file: auditFile, line: 0 };
  /** The key of the line above. */
  let key: string | undefined;
  /** The hash of the line above differs from the one in this line: the next line shows which of the two was changed. */
  let suspects: { above: Pick<Placed, 'file' | 'line'>; here: Placed; hash: string } | undefined;

  function settle(next: AuditLine | undefined): void {
    if (!suspects) return;
    const { above, here, hash } = suspects;
    suspects = undefined;
    const isHereFalse = next ? next.prev !== hash : head !== undefined && last.seq === head.seq && head.hash !== hash;
    complain(isHereFalse ? here : above, 'was changed, and its hash recomputed');
  }

  for await (const place of readAll(folder)) {
    const { line, state } = readLine(place.text, keys);
    if (!line && !place.whole && last.seq >= (head?.seq ?? 0)) break;
    report.lines++;
    if (!line) {
      settle(undefined);
      complain(place, place.whole ? 'was changed' : 'was cut off');
      unread++;
      last = { seq: last.seq, hash: '' };
      lastPlace = place;
      continue;
    }
    settle(line);
    if (state === 'key_missing' && line.key !== key)
      complain(place, 'cannot be verified: the key it is signed with is missing');
    if (line.key === undefined && key !== undefined) complain(place, 'is not signed, although the line above it is');
    if (line.seq === recorded?.seq && line.hash !== recorded.hash)
      complain(place, 'is not the line that the database recorded');
    const expected = last.seq + 1;
    if (line.seq > expected + unread) {
      const gone = line.seq - expected - unread;
      complain(place, `${gone} ${gone === 1 ? 'line was' : 'lines were'} removed before it`);
    } else if (line.seq < expected) {
      complain(place, `is out of order: it is number ${line.seq}, where ${expected} should be`);
    } else if (line.prev !== last.hash && last.hash !== '') {
      suspects = { above: lastPlace, here: place, hash: line.hash };
    }
    if (line.tool === auditItself && line.outcome === headMissing) {
      complain(place, `the file ${auditHeadFile} was missing before it: lines above it may have been cut off`);
    }
    last = line.seq < expected ? { seq: last.seq, hash: '' } : line;
    lastPlace = place;
    key = line.key ?? key;
    unread = 0;
  }
  settle(undefined);
  const lost = Math.max(head?.seq ?? 0, recorded?.seq ?? 0) - last.seq - unread;
  if (lost > 0) complain(lastPlace, `${lost} ${lost === 1 ? 'line was' : 'lines were'} cut off after it`);
  else if (head?.seq === last.seq && last.hash !== '' && head.hash !== last.hash) {
    complain(lastPlace, 'was changed, and its hash recomputed');
  }
  if (!head && report.lines > 0) {
    complain(lastPlace, `the file ${auditHeadFile} is missing: lines after it may have been cut off`);
  }
  return report;
}

/** The newest lines, oldest of them first. */
export async function readLastLines(folder: string, count: number, keys: AuditKeys): Promise<AuditLine[]> {
  const kept: AuditLine[] = [];
  for (const file of listFiles(folder).reverse()) {
    const lines: AuditLine[] = [];
    for await (const { text } of readFile(folder, file)) {
      const { line } = readLine(text, keys);
      if (line) lines.push(line);
      if (lines.length > 2 * count) lines.splice(0, lines.length - count);
    }
    kept.unshift(...lines.slice(-(count - kept.length)));
    if (kept.length >= count) break;
  }
  return kept;
}

/** The hash that a line ends with; most often one of the last lines. */
export async function findHash(folder: string, seq: number): Promise<string | undefined> {
  for (const file of listFiles(folder).reverse()) {
    if (file !== auditFile && file < nameFull(seq)) return undefined;
    for await (const { text } of readTailFirst(folder, file)) {
      const [, number, hash] = /^\{"seq":(\d+),.*,"hash":"([0-9a-f]{64})"\}$/.exec(text) ?? [];
      if (Number(number) === seq) return hash;
    }
  }
  return undefined;
}

/** The last lines, then all of them. */
async function* readTailFirst(folder: string, file: string): AsyncGenerator<Placed> {
  const start = Math.max(0, statSync(join(folder, file)).size - tailBytes);
  yield* readFile(folder, file, start);
  if (start > 0) yield* readFile(folder, file);
}

const tailBytes = 65_536;

function findHead(folder: string): AuditHead | undefined {
  try {
    return readHead(readFileSync(join(folder, auditHeadFile), 'utf8'));
  } catch {
    return undefined;
  }
}

function listFiles(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return [...names.filter((name) => fullFile.test(name)).sort(), ...names.filter((name) => name === auditFile)];
}

async function* readAll(folder: string): AsyncGenerator<Placed> {
  for (const file of listFiles(folder)) yield* readFile(folder, file);
}

async function* readFile(folder: string, file: string, start = 0): AsyncGenerator<Placed> {
  let rest = '';
  let line = 0;
  for await (const part of createReadStream(join(folder, file), { encoding: 'utf8', start })) {
    const pieces = (rest + part).split('\n');
    rest = pieces.pop() ?? '';
    for (const text of pieces) yield { file, line: ++line, text, whole: true };
  }
  if (rest !== '') yield { file, line: ++line, text: rest, whole: false };
}
