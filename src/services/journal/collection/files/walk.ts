// The documents in a folder: files of known formats, without what git ignores, hidden things, packages and links.

import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Ignore } from 'ignore';
import { formatOfFile } from '../chunk/document-format.ts';
import { nameInside } from './place.ts';
import { readBytes, type Skip } from './read-file.ts';

export interface Walked {
  /** Names from the project's root, in order. */
  names: string[];
  /** How many were left out, by reason. */
  skipped: { [reason in Skip | 'ignored' | 'beyond_limit']?: number };
  /** Folders that could not be read: what was known of them still counts. */
  unreadable: string[];
}

export const mostFiles = 20_000;
/** Folders and files that are looked at, documents or not. */
const mostEntries = 500_000;
const largestRules = 1_000_000;

interface Rules {
  /** The folder they count in, from the project's root. */
  base: string;
  matcher: Ignore;
}

export async function walkFolder(folder: string, root: string, signal?: AbortSignal): Promise<Walked> {
  const walked: Walked = { names: [], skipped: {}, unreadable: [] };
  const skip = (reason: keyof Walked['skipped']) => {
    walked.skipped[reason] = (walked.skipped[reason] ?? 0) + 1;
  };
  let entries = 0;
  const visit = async (path: string, outer: readonly Rules[]): Promise<void> => {
    signal?.throwIfAborted();
    const name = nameInside(path, root);
    const found = await readdir(path, { withFileTypes: true }).catch(() => undefined);
    if (!found) {
      walked.unreadable.push(name);
      return skip('unreadable');
    }
    const own = found.some((entry) => entry.name === '.gitignore') ? await readRules(path, name) : undefined;
    const rules = own ? [...outer, own] : outer;
    for (const entry of found.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (++entries > mostEntries || walked.names.length >= mostFiles) return skip('beyond_limit');
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const inner = name === '' ? entry.name : `${name}/${entry.name}`;
      if (entry.isSymbolicLink()) skip('link');
      else if (isIgnored(entry.isDirectory() ? `${inner}/` : inner, rules)) skip('ignored');
      else if (entry.isDirectory()) await visit(join(path, entry.name), rules);
      else if (!entry.isFile()) skip('other');
      else if (formatOfFile(entry.name)) walked.names.push(inner);
      else skip(/\.pdf$/i.test(entry.name) ? 'pdf' : 'other');
    }
  };
  await visit(folder, await readOuterRules(folder, root));
  return walked;
}

/** Rules of the folders above. Who names a folder that they ignore means it. */
async function readOuterRules(folder: string, root: string): Promise<Rules[]> {
  const above: string[] = [];
  for (let place = folder; place !== root; ) {
    place = dirname(place);
    above.unshift(place);
  }
  const rules = (await Promise.all(above.map((path) => readRules(path, nameInside(path, root))))).filter(
    (one) => one !== undefined,
  );
  return folder !== root && isIgnored(`${nameInside(folder, root)}/`, rules) ? [] : rules;
}

async function readRules(path: string, base: string): Promise<Rules | undefined> {
  const read = await readBytes(join(path, '.gitignore'), largestRules);
  if ('skip' in read) return undefined;
  const { default: createIgnore } = await import('ignore');
  return { base, matcher: createIgnore().add(read.bytes.toString('utf8')) };
}

/** The rules nearest to a file have the last word. */
function isIgnored(name: string, rules: readonly Rules[]): boolean {
  let ignored = false;
  for (const { base, matcher } of rules) {
    const { ignored: yes, unignored: no } = matcher.test(base === '' ? name : name.slice(base.length + 1));
    if (yes) ignored = true;
    else if (no) ignored = false;
  }
  return ignored;
}
