// Decodes a file: by its byte order mark, else as UTF-8, else as a single-byte encoding that accepts any bytes.

import { runNow, type Steps } from '../core/steps.ts';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Bytes that are checked for whether a file is text. */
export const looked = 8_192;

/** Undefined if it is not text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  return runNow(decodeInSteps(bytes));
}

export function* decodeInSteps(bytes: Uint8Array): Steps<string | undefined> {
  const marked = encodingOfMark(bytes);
  if (marked === undefined && isBinary(bytes)) return undefined;
  if (marked !== undefined) return yield* decodeAs(marked, bytes);
  try {
    return yield* decodeAs('utf-8', bytes, { fatal: true });
  } catch {
    return yield* decodeAs('windows-1252', bytes);
  }
}

/** Bytes decoded in one step. */
const decodedAtOnce = 512 * 1024;

/** Invalid bytes become replacement characters, or throw with `fatal`. */
export function* decodeAs(encoding: Encoding, bytes: Uint8Array, { fatal = false } = {}): Steps<string> {
  const decoder = new TextDecoder(encoding, { fatal });
  let text = '';
  for (let at = 0; at < bytes.length; at += decodedAtOnce) {
    text += decoder.decode(bytes.subarray(at, at + decodedAtOnce), { stream: true });
    yield;
  }
  return text + decoder.decode();
}

/** A part of a text, with or without a byte order mark. */
export function decodePart(bytes: Uint8Array, marked: Encoding | undefined): { text: string; encoding: Encoding } {
  if (marked !== undefined) return { text: new TextDecoder(marked).decode(bytes), encoding: marked };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
  }
}

export function encodingOfMark([first, second, third]: Uint8Array): Encoding | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** Text has no NUL, and hardly any other control characters. */
export function isBinary(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, looked);
  let odd = 0;
  for (const byte of head) {
    if (byte === 0) return true;
    if (byte < 32 && (byte < 8 || byte > 13) && byte !== 27) odd++;
  }
  return odd > head.length / 50;
}
