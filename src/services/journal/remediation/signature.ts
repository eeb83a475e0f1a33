// The signature of an error text, independent of run, machine and log: the failure by codes and words, and its place by the
// functions on the stack.
import { hashHex } from '../../../core/crypto.ts';
import type { Code } from './codes.ts';
import { type Failure, findFailures, keyOf } from './failure.ts';
import { readLine, readLines } from './lines.ts';
import { readMessage } from './message.ts';

export interface SignedFailure {
  /** Equal for the same failure. */
  hash: string;
  codes: Code[];
  /** The weighted words of the message, by part. */
  segments: [word: string, weight: number][][];
  /** Values in the message: files, hosts, quoted names. */
  values: string[];
}

export interface Signature {
  /** Version of the algorithm; signatures of different versions are not compared. */
  version: number;
  /** The first is the subject of the text. */
  failures: SignedFailure[];
  frames: string[];
  /** One line for people, in the original words. */
  headline: string;
}

export const signatureVersion = 3;
/** The subject of a text with this few lines is its first line. */
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
    failures: failures.filter(isSignificant).map(({ codes, segments, values, template }) => ({
      hash: digest(keyOf({ codes, template })),
      codes,
      segments: segments.slice(-maxSegments).map((words) => words.slice(0, maxWords)),
      values: [...values].slice(0, maxValues),
    })),
    frames,
    headline: cutHeadline(failures[0]?.line || first?.text || ''),
  };
}

/** Failures without codes and words would all be equal, so they are skipped. */
function isSignificant({ codes, segments }: Failure): boolean {
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
