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
  /** One line for people: what failed, as it was said. */
  headline: string;
}

export const signatureVersion = 3;
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
