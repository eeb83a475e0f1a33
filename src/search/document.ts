// One document as the index takes it: how often each term stands in its title and text, and its vector.
import { countAnalyzed } from './analyze.ts';

export interface Document {
  id: string;
  project: string;
  kind: string;
  /** Terms in all. */
  length: number;
  /** Or already as `writeTerms` writes them. */
  frequencies: ReadonlyMap<string, number> | string;
  /** Which embedder made the vector; empty for none. */
  model: string;
  vector: Int8Array | undefined;
}

/** A word in the title says more of what a text is about than one in its body. */
const titleWeight = 2;

export function countTerms(title: string, text: string): { length: number; frequencies: Map<string, number> } {
  const frequencies = new Map<string, number>();
  let length = 0;
  const add = (part: string, weight: number) =>
    countAnalyzed(part, (term, times) => {
      frequencies.set(term, (frequencies.get(term) ?? 0) + weight * times);
      length += times;
    });
  add(title, titleWeight);
  add(text, 1);
  return { length, frequencies };
}

export function writeTerms(frequencies: ReadonlyMap<string, number>): string {
  return [...frequencies].map(([term, count]) => `${term} ${count}`).join(' ');
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

/** What the database gives back for bytes, as the numbers that were put in. */
export function toInt8(bytes: Uint8Array): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function toBytes(numbers: Int8Array | Uint16Array | Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

// Copied: the database's memory may be unaligned, and a view of something larger.

export function toUint16(bytes: Uint8Array): Uint16Array {
  return new Uint16Array(new Uint8Array(bytes).buffer);
}

export function toUint32(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(new Uint8Array(bytes).buffer);
}
