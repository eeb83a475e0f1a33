// Holds the audit log against its own chain and names every line where it breaks. Files are read piece by piece: a log
// may be larger than memory.
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
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
  readHead,
  readLine,
} from './audit-chain.ts';

interface AuditProblem {
  file: string;
  line: number;
  problem: string;
}

interface AuditReport {
  lines: number;
  problems: AuditProblem[];
  /** There were more problems than are told. */
  more: boolean;
}

interface Placed {
  file: string;
  line: number;
  text: string;
  /** A line without its end may be one that is being written. */
  whole: boolean;
}

const maxProblems = 20;

export async function verifyAudit(folder: string): Promise<AuditReport> {
  // First: lines that come in while this reads are beyond it.
  const head = findHead(folder);
  const report: AuditReport = { lines: 0, problems: [], more: false };
  const complain = ({ file, line }: Pick<Placed, 'file' | 'line'>, problem: string) => {
    if (report.problems.length < maxProblems) report.problems.push({ file, line, problem });
    else report.more = true;
  };
  let last: Pick<AuditHead, 'seq' | 'hash'> = beginning;
  /** Lines since then that cannot be read: each stands for one that was there, or for none. */
  let unread = 0;
  let lastPlace: Pick<Placed, 'file' | 'line'> = { file: auditFile, line: 0 };
  /** The line above says another hash than this one was chained to: the next one tells which of the two was changed. */
  let suspects: { above: Pick<Placed, 'file' | 'line'>; here: Placed; hash: string } | undefined;

  function settle(next: AuditLine | undefined): void {
    if (!suspects) return;
    const { above, here, hash } = suspects;
    suspects = undefined;
    const isHereFalse = next ? next.prev !== hash : head !== undefined && last.seq === head.seq && head.hash !== hash;
    complain(isHereFalse ? here : above, 'was changed, and its hash made anew');
  }

  for await (const place of readAll(folder)) {
    const line = readLine(place.text);
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
    unread = 0;
  }
  settle(undefined);
  checkEnd(head, { seq: last.seq + unread, hash: last.hash }, lastPlace, report.lines, complain);
  return report;
}

function checkEnd(
  head: AuditHead | undefined,
  last: Pick<AuditHead, 'seq' | 'hash'>,
  place: Pick<Placed, 'file' | 'line'>,
  lines: number,
  complain: (place: Pick<Placed, 'file' | 'line'>, problem: string) => void,
): void {
  if (!head) {
    if (lines > 0) complain(place, `the file ${auditHeadFile} is missing: lines after it may have been cut off`);
  } else if (head.seq > last.seq) {
    const gone = head.seq - last.seq;
    complain(place, `${gone} ${gone === 1 ? 'line was' : 'lines were'} cut off after it`);
  } else if (head.seq === last.seq && last.hash !== '' && head.hash !== last.hash) {
    complain(place, 'was changed, and its hash made anew');
  }
}

/** The newest lines, the last one last. */
export async function readLastLines(folder: string, count: number): Promise<AuditLine[]> {
  const kept: AuditLine[] = [];
  for (const file of listFiles(folder).reverse()) {
    const lines: AuditLine[] = [];
    for await (const { text } of readFile(folder, file)) {
      const line = readLine(text);
      if (line) lines.push(line);
      if (lines.length > 2 * count) lines.splice(0, lines.length - count);
    }
    kept.unshift(...lines.slice(-(count - kept.length)));
    if (kept.length >= count) break;
  }
  return kept;
}

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

async function* readFile(folder: string, file: string): AsyncGenerator<Placed> {
  let rest = '';
  let line = 0;
  for await (const part of createReadStream(join(folder, file), { encoding: 'utf8' })) {
    const pieces = (rest + part).split('\n');
    rest = pieces.pop() ?? '';
    for (const text of pieces) yield { file, line: ++line, text, whole: true };
  }
  if (rest !== '') yield { file, line: ++line, text: rest, whole: false };
}
