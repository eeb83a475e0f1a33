// Splits a stream of bytes into lines within bounded memory. Chunks are decoded as a whole; only a chunk with an invalid byte
// is decoded line by line, so that one bad line does not affect others.
import { isUtf8 } from 'node:buffer';

interface LineListener {
  line(text: string): void;
  /** A line that is not UTF-8 or exceeds the limit; it is skipped. */
  unreadable(reason: 'encoding' | 'length'): void;
}

const newline = 0x0a;

export class LineSplitter {
  readonly #maxBytes: number;
  readonly #listener: LineListener;
  /** The beginning of an unfinished line. */
  #parts: Buffer[] = [];
  #length = 0;
  #skipping = false;

  constructor(maxBytes: number, listener: LineListener) {
    this.#maxBytes = maxBytes;
    this.#listener = listener;
  }

  feed(chunk: Buffer): void {
    const end = chunk.lastIndexOf(newline);
    if (end === -1) return this.#keep(chunk);
    const first = chunk.indexOf(newline);
    this.#keep(chunk.subarray(0, first));
    this.#finish();
    if (end > first) this.#emitAll(chunk.subarray(first + 1, end));
    this.#keep(chunk.subarray(end + 1));
  }

  /** The stream has ended: the rest is a last line without newline. */
  end(): void {
    this.#finish();
  }

  #keep(part: Buffer): void {
    if (part.length === 0 || this.#skipping) return;
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#length <= this.#maxBytes) return;
    this.#skipping = true;
    this.#parts = [];
    this.#listener.unreadable('length');
  }

  #finish(): void {
    const whole = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    if (this.#skipping) this.#skipping = false;
    else this.#emit(whole);
  }

  #emitAll(lines: Buffer): void {
    if (lines.length <= this.#maxBytes && isUtf8(lines)) {
      for (const text of lines.toString().split('\n')) this.#emitText(text);
      return;
    }
    let start = 0;
    while (start <= lines.length) {
      const found = lines.indexOf(newline, start);
      const end = found === -1 ? lines.length : found;
      if (end - start > this.#maxBytes) this.#listener.unreadable('length');
      else this.#emit(lines.subarray(start, end));
      start = end + 1;
    }
  }

  #emit(bytes: Buffer): void {
    if (isUtf8(bytes)) this.#emitText(bytes.toString());
    else this.#listener.unreadable('encoding');
  }

  #emitText(text: string): void {
    const line = text.trim();
    if (line !== '') this.#listener.line(line);
  }
}
