// Finds lines about an error in the project's log files: those around its time, if it has one, else the last ones that
// contain its names.
import { readSync } from 'node:fs';
import { join } from 'node:path';
import { readTail } from '../../../core/text/tail.ts';
import { kindOf, listFolder, nameOf } from '../../../files/folder.ts';
import { openReal } from '../../../files/open.ts';
import { redactRange } from '../../../files/redact-range.ts';
import type { ErrorEvidence } from './troubleshoot.ts';

interface Sought {
  error: string;
  /** Codes and names from the error. */
  words: readonly string[];
}

const folders = ['', 'log', 'logs', 'tmp/log', 'var/log'];
const logName = /\.log(?:\.\d)?$|^(?:npm|yarn|pnpm)-debug\.log/;
const maxFiles = 12;
const mostEntries = 10_000;
const tailBytes = 256 * 1024;
const contextBytes = 64 * 1024;
const maxLines = 8;
const longestLine = 400;
const aroundMs = 30_000;
const moment = /\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,]\d+)?(Z|[+-]\d\d:?\d\d)?/;

export async function findLogLines(root: string, { error, words }: Sought): Promise<ErrorEvidence['log']> {
  const at = readMoment(error);
  const significant = words.filter((word) => word.length >= 4).map((word) => word.toLowerCase());
  const lines = (await listLogs(root))
    .flatMap((file) => readLog(root, file))
    .flatMap((tail) => tail.lines.map((text, at) => ({ tail, at, text })))
    .filter(({ tail, at, text }) => at >= tail.context && text.trim() !== '');
  const near = at === undefined ? [] : lines.filter(({ text }) => isNear(readMoment(text), at));
  const named = lines.filter(({ text }) => significant.some((word) => text.toLowerCase().includes(word)));
  const shown = (near.length > 0 ? near : named).slice(-maxLines);
  // Only for shown lines: counting reads the file from its beginning.
  const before = new Map(
    [...new Set(shown.map(({ tail }) => tail))].map((tail) => [tail, countBefore(root, tail)] as const),
  );
  return Promise.all(
    shown.map(async ({ tail, at: place }) => {
      const [text = ''] = await redactRange(tail.lines, place + 1, place + 1);
      return { file: tail.file, line: (before.get(tail) ?? 0) + place + 1, text: text.slice(0, longestLine) };
    }),
  );
}

function countBefore(root: string, { file, start }: Tail): number {
  return start === 0 ? 0 : (withLog(root, file, (handle) => [countLines(handle, start)])[0] ?? 0);
}

function isNear(time: number | undefined, at: number): boolean {
  return time !== undefined && Math.abs(time - at) <= aroundMs;
}

/** A time without a zone is local time, as in logs. */
function readMoment(text: string): number | undefined {
  const [, day, time, zone = ''] = moment.exec(text) ?? [];
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(at) ? undefined : at;
}

async function listLogs(root: string): Promise<string[]> {
  const listed = await Promise.all(folders.map((folder) => listLogsIn(root, folder)));
  return listed.flat().slice(0, maxFiles);
}

async function listLogsIn(root: string, folder: string): Promise<string[]> {
  const listed = await listFolder(join(root, folder), mostEntries);
  if (typeof listed === 'string') return [];
  return listed.entries
    .filter((entry) => kindOf(entry) === 'file' && logName.test(nameOf(entry)))
    .map((entry) => (folder === '' ? nameOf(entry) : `${folder}/${nameOf(entry)}`));
}

interface Tail {
  file: string;
  /** Where in the file its first line begins. */
  start: number;
  lines: string[];
  /** Number of its lines that are only context. */
  context: number;
}

function readLog(root: string, file: string): Tail[] {
  return withLog(root, file, (handle) => {
    const { text, start } = readTail(handle, contextBytes + tailBytes);
    const context = start === 0 ? 0 : text.slice(0, contextBytes).split('\n').length - 1;
    return [{ file, start, lines: text.split('\n'), context }];
  });
}

function withLog<T>(root: string, file: string, work: (handle: number) => T[]): T[] {
  const opened = openReal(join(root, file));
  if (typeof opened === 'string') return [];
  try {
    return work(opened.fd);
  } catch {
    return [];
  } finally {
    opened.close();
  }
}

/** Beyond this, lines are numbered from where reading began. */
const longestCounted = 64 << 20;

function countLines(handle: number, until: number): number {
  if (until > longestCounted) return 0;
  const bytes = Buffer.alloc(Math.min(until, 1 << 20));
  let count = 0;
  for (let at = 0; at < until; ) {
    const length = readSync(handle, bytes, 0, Math.min(bytes.length, until - at), at);
    if (length === 0) break;
    for (let index = bytes.indexOf(10); index >= 0 && index < length; index = bytes.indexOf(10, index + 1)) count++;
    at += length;
  }
  return count;
}
