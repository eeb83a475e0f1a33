// What is characteristic of an error text, whichever run, machine or log it comes from: what failed, by code and by words,
// and where, by the functions on the stack.
import { hashHex } from '../../../core/crypto.ts';
import type { Code } from './codes.ts';
import { type Failure, findFailures, keyOf } from './failure.ts';
import { readLine, readLines } from './lines.ts';
import { readMessage } from './message.ts';

export interface SignedFailure {
  /** The same for the same failure. */
  hash: string;
  codes: Code[];
  /** The words of the message, part by part, and how much each tells. */
  segments: [word: string, weight: number][][];
  /** What was named: files, hosts, names in quotes. */
  values: string[];
}

export interface Signature {
  /** Of the way it is made: signatures of two ways are not compared. */
  version: number;
  /** The first is what the text is about. */
  failures: SignedFailure[];
  frames: string[];
  language: string | undefined;
  /** One line for people: what failed, as it was said. */
  headline: string;
}

export const signatureVersion = 2;
/** A text of so few lines is about its first, whatever that says. */
const fewLines = 3;
const maxSegments = 8;
const maxWords = 40;
const maxValues = 20;
const longestHeadline = 240;

export function signError(text: string): Signature {
  const lines = readLines(text);
  const { failures, frames } = findFailures(lines);
  const said = lines.filter((line) => line.trim() !== '');
  const first = said[0] === undefined ? undefined : readLine(said[0]);
  if (failures.length === 0 && first && said.length <= fewLines && first.level !== 'info') {
    failures.push({ line: first.text, codes: [], strength: 0, ...readMessage(first.text) });
  }
  return {
    version: signatureVersion,
    failures: failures.filter(saysAnything).map(({ codes, segments, values, template }) => ({
      hash: digest(keyOf({ codes, template })),
      codes,
      segments: segments.slice(-maxSegments).map((words) => words.slice(0, maxWords)),
      values: [...values].slice(0, maxValues),
    })),
    frames,
    language: guessLanguage(text),
    headline: cutHeadline(failures[0]?.line || first?.text || ''),
  };
}

/** Two lines of which nothing is left without their values would be the same. */
function saysAnything({ codes, segments }: Failure): boolean {
  return codes.length > 0 || segments.some((words) => words.length > 0);
}

function cutHeadline(line: string): string {
  return line.length <= longestHeadline
    ? line
    : `${line.slice(0, longestHeadline - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function digest(key: string): string {
  return hashHex(key).slice(0, 16);
}

const signs: readonly [string, RegExp][] = [
  ['python', /Traceback \(most recent call last\)|^[ \t]*File "[^"\n]{1,300}\.py", line \d/m],
  [
    'java',
    /^[ \t]*at (?:[\w$]{1,80}\.){2,20}[\w$<>]{1,80}\((?:[\w$]{1,80}\.(?:java|kt|scala):\d|Native Method|Unknown Source)|Exception in thread "/m,
  ],
  ['javascript', /\berror TS\d{4,5}:|\bts\(\d{4,5}\)/],
  ['rust', /^[ \t]*(?:error|warning)\[E\d{4}\]|^[ \t]*--> [^\n]{1,300}\.rs:\d|panicked at /m],
  ['go', /^goroutine \d{1,9} \[|^panic: |\.go:\d{1,7}(?::\d{1,5}: | \+0x)/m],
  ['javascript', /^[ \t]*at (?:async )?[^\n]{1,200}(?:node:internal|\.[cm]?[jt]sx?:\d)|^npm (?:ERR!|error) /m],
];

function guessLanguage(text: string): string | undefined {
  const head = text.slice(0, 20_000);
  return signs.find(([, sign]) => sign.test(head))?.[0];
}
