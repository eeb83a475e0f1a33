// Reads a file that a text mentions: only inside the project after links are resolved, only regular files and folders, and only
// small ones. Texts are cached while the file's time and size stay the same.
import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { loadCrypto } from '../core/crypto.ts';
import { isInside, nameInside } from '../core/path.ts';
import { follow } from './inside.ts';
import { openReal, readOpened } from './open.ts';

export interface FileLook {
  path: string;
  isFolder: boolean;
  modified: number;
  size: number;
}

/** A file's text and data computed from it on first use. */
export class FileText {
  readonly text: string;
  #hash: string | undefined;
  #lines: readonly string[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get hash(): string {
    this.#hash ??= hashText(this.text);
    return this.#hash;
  }

  get lines(): readonly string[] {
    this.#lines ??= readLines(this.text);
    return this.#lines;
  }
}

export function hashText(text: string): string {
  return loadCrypto().createHash('sha1').update(text).digest('base64url').slice(0, 16);
}

/** Each line without insignificant spaces. */
export function readLines(text: string): string[] {
  return text.split('\n').map((line) => line.trim().replace(/\s+/g, ' '));
}

const maxFileSize = 512 * 1024;
const maxKept = 32;
const maxKeptSize = 4 * 1024 * 1024;

const looking = new Map<string, Promise<FileLook | 'gone' | undefined>>();
const reading = new Map<string, Promise<FileText | undefined>>();
const kept = new Map<string, { modified: number; size: number; content: FileText }>();
let keptSize = 0;

/** 'gone' if there is no such file; undefined if it is unknown: outside the root, or refused. */
export function lookAt(root: string, file: string): Promise<FileLook | 'gone' | undefined> {
  const path = placeWithin(root, file);
  if (path === undefined) return Promise.resolve(undefined);
  return share(looking, `${root}\n${path}`, () => look(root, path));
}

/** The text; undefined for a folder, and for a file that is too large or unreadable. */
export function readLook({ path, isFolder, modified, size }: FileLook): Promise<FileText | undefined> {
  if (isFolder || size > maxFileSize) return Promise.resolve(undefined);
  const known = kept.get(path);
  if (known && known.modified === modified && known.size === size) return Promise.resolve(known.content);
  return share(reading, `${path}\n${modified}\n${size}`, async () => {
    const bytes = await readOpened(openReal(path), maxFileSize);
    if (bytes === undefined) return undefined;
    const content = new FileText(bytes.toString());
    keep(path, modified, size, content);
    return content;
  });
}

function placeWithin(root: string, file: string): string | undefined {
  if (file.startsWith('~') || file.includes('\0') || (/^[A-Za-z]:/.test(file) && sep === '/')) return undefined;
  const path = resolve(root, file);
  return isInside(path, resolve(root)) ? path : undefined;
}

async function look(root: string, path: string): Promise<FileLook | 'gone' | undefined> {
  const realRoot = await realpath(root).catch(() => undefined);
  const found = realRoot === undefined ? 'failed' : follow(realRoot, nameInside(path, resolve(root)));
  if (found === 'missing' || found === 'dangling') return 'gone';
  if (typeof found === 'string') return undefined;
  const { real, stats } = found;
  return { path: real, isFolder: stats.isDirectory(), modified: stats.mtimeMs, size: stats.size };
}

/** Memories recalled together cite the same files, so concurrent reads are shared. */
function share<T>(under: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const known = under.get(key);
  if (known) return known;
  const made = work().finally(() => under.delete(key));
  under.set(key, made);
  return made;
}

function keep(path: string, modified: number, size: number, content: FileText): void {
  drop(path);
  kept.set(path, { modified, size, content });
  keptSize += content.text.length;
  for (const oldest of kept.keys()) {
    if (kept.size <= maxKept && keptSize <= maxKeptSize) return;
    drop(oldest);
  }
}

function drop(path: string): void {
  const known = kept.get(path);
  if (!known) return;
  kept.delete(path);
  keptSize -= known.content.text.length;
}
