// The log of a server: the lines of its stderr, redacted, in a file of bounded size.
import { closeSync, existsSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { redact } from '../../../core/secret/redact.ts';
import { readTail } from '../../../core/text/tail.ts';

const mostBytes = 512 * 1024;
/** Lines that are kept in memory for errors. */
const tailLines = 12;
const longestLine = 2_000;

export class ServerLog {
  readonly path: string;
  readonly #secrets: readonly string[];
  readonly tail: string[] = [];
  #handle: number | undefined;
  #size = 0;

  constructor(folder: string, name: string, secrets: readonly string[] = []) {
    this.path = join(folder, `${name}.log`);
    this.#secrets = secrets.filter((secret) => secret.length > 3);
  }

  write(line: string): void {
    const known = this.#secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted:credential]'), line);
    const { text } = redact(known.slice(0, longestLine));
    this.tail.push(text);
    if (this.tail.length > tailLines) this.tail.shift();
    try {
      if (this.#size > mostBytes) this.#rotate();
      if (this.#handle === undefined) {
        this.#handle = openSync(this.path, 'a', 0o600);
        this.#size = fstatSync(this.#handle).size;
      }
      this.#size += writeSync(this.#handle, `${new Date().toISOString()} ${text}\n`);
    } catch {
      // A full disk must not stop the server.
    }
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
  }

  #rotate(): void {
    this.close();
    renameSync(this.path, `${this.path}.1`);
    this.#size = 0;
  }
}

/** The last lines of a log. */
export function readLog(folder: string, name: string, lines: number): string[] {
  const path = join(folder, `${name}.log`);
  const read = (file: string) => {
    if (!existsSync(file)) return [];
    const handle = openSync(file, 'r');
    try {
      return readTail(handle, mostBytes)
        .text.split('\n')
        .filter((line) => line !== '');
    } finally {
      closeSync(handle);
    }
  };
  return [...read(`${path}.1`), ...read(path)].slice(-lines);
}
