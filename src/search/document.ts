// One document of the index: the frequency of each term in its title and text, and its vector.
import { runNow, type Steps } from '../core/steps.ts';
import { countAnalyzed } from './analyze.ts';

export interface Document {
  id: string;
  project: string;
  kind: string;
  /** Total number of terms. */
  length: number;
  frequencies: ReadonlyMap<string, number> | PackedTerms;
  /** Id of the embedder that made the vector; empty without a vector. */
  model: string;
  vector: Int8Array | undefined;
}

/** The terms of a document that shares a list of words with others. */
export interface PackedTerms {
  words: readonly string[];
  /** For each term, its place in the list and its frequency, in one number. */
  packed: Uint32Array;
}

/** Higher frequencies are stored as this one. */
export const mostFrequent = 255;

export function packTerm(place: number, count: number): number {
  return place * (mostFrequent + 1) + Math.min(count, mostFrequent);
}

/** Calls back with the place of each term in the list of words, and its frequency. */
export function visitPacked(packed: Uint32Array, visit: (place: number, count: number) => void): void {
  for (const one of packed) visit(Math.floor(one / (mostFrequent + 1)), one % (mostFrequent + 1));
}

/** A word in the title says more about the topic than a word in the text. */
export const titleWeight = 2;

interface Terms {
  length: number;
  frequencies: Map<string, number>;
}

export function countTerms(title: string, text: string): Terms {
  return runNow(gatherTerms(title, text));
}

/** Counts the terms of a long text in pieces. */
export function* gatherTerms(title: string, text: string): Steps<Terms> {
  const frequencies = new Map<string, number>();
  let length = 0;
  const add = (part: string, weight: number) =>
    countAnalyzed(part, (term, times) => {
      frequencies.set(term, (frequencies.get(term) ?? 0) + weight * times);
      length += times;
    });
  add(title, titleWeight);
  for (let from = 0; from < text.length; ) {
    const to = findPieceEnd(text, from);
    add(text.slice(from, to), 1);
    from = to;
    if (to < text.length) yield;
  }
  return { length, frequencies };
}

const pieceLength = 16_384;
/** Characters in which to look backwards for a space, so that no word is split. */
const longestWord = 512;

function findPieceEnd(text: string, from: number): number {
  const end = from + pieceLength;
  if (end >= text.length) return text.length;
  const space = Math.max(text.lastIndexOf(' ', end), text.lastIndexOf('\n', end));
  if (space > end - longestWord) return space;
  return isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

export function writeTerms(frequencies: Document['frequencies']): string {
  const written: string[] = [];
  if ('packed' in frequencies) {
    visitPacked(frequencies.packed, (place, count) => written.push(`${frequencies.words[place]} ${count}`));
  } else for (const [term, count] of frequencies) written.push(`${term} ${count}`);
  return written.join(' ');
}

export function readTerms(text: string): Map<string, number> {
  const frequencies = new Map<string, number>();
  visitTerms(text, (term, count) => frequencies.set(term, count));
  return frequencies;
}

export function visitTerms(text: string, visit: (term: string, count: number) => void): void {
  const words = text === '' ? [] : text.split(' ');
  for (let at = 0; at < words.length; at += 2) visit(words[at] as string, Number(words[at + 1]));
}

/** Decodes a stored vector. */
export function toInt8(bytes: Uint8Array): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function toBytes(numbers: Int8Array | Uint16Array | Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

// A copy, because the driver's buffer may be unaligned or part of a larger one.

export function toUint16(bytes: Uint8Array): Uint16Array {
  return new Uint16Array(new Uint8Array(bytes).buffer);
}

export function toUint32(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(new Uint8Array(bytes).buffer);
}
