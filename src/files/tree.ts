// Lists the files below a folder in order, except those that .gitignore and .loreignore exclude. The tree may be hostile: links
// are never followed, depth and number are limited, and other work runs in between.
import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { createPause, kindOf, listFolder, nameOf } from './folder.ts';
import { type IgnoreRules, isIgnored, parseRules } from './ignore-rules.ts';
import { type OpenRefusal, openReal, readOpenedSync } from './open.ts';

export interface TreeEntry {
  /** From the root, with slashes. */
  path: string;
  /** 0 if sizes were not requested. */
  size: number;
  modified: number;
  /** A folder that is too deep to be listed. */
  isFolder: boolean;
}

/** Why something was skipped. */
export type TreeSkip = 'ignored' | 'link' | 'other' | 'unreadable' | 'too_deep' | 'beyond_limit';

export interface TreeOptions {
  /** A folder below the root, as a real path; empty for the root itself. */
  from?: string;
  /** Levels to descend; files directly in `from` are on the first. Folders at the limit are returned. */
  depth?: number;
  /** Only entries after this path in order. */
  after?: string;
  /** An additional filter by name and path. */
  leaveOut?(name: string, path: string, isFolder: boolean): boolean;
  /** Whether size and time are read; otherwise both are 0. */
  measure?: boolean;
  /** Most entries. */
  most?: number;
  onSkip?(reason: TreeSkip, path: string): void;
  signal?: AbortSignal | undefined;
}

const deepest = 256;
const mostEntries = 2_000_000;
const ruleFiles = ['.gitignore', '.loreignore'];
const largestRules = 1_000_000;
/** Longest time without a pause, in ms. */
const sliceMs = 4;

interface Frame {
  path: string;
  parts: readonly string[];
  entries: readonly string[];
  at: number;
  rules: readonly IgnoreRules[];
  /** The rest of `after`. */
  after: readonly string[];
}

/** `root` is a real path. */
export async function* walkTree(root: string, options: TreeOptions = {}): AsyncGenerator<TreeEntry> {
  const { from = '', depth = Number.POSITIVE_INFINITY, measure = true, most = mostEntries, signal } = options;
  const { leaveOut = () => false, onSkip = () => {} } = options;
  const top = splitPath(from);
  const pause = createPause(sliceMs, signal);
  let seen = 0;

  async function enter(parts: readonly string[], rules: readonly IgnoreRules[], after: readonly string[]) {
    const path = parts.join('/');
    const listed = await listFolder(join(root, path), Math.max(0, most - seen), pause);
    if (typeof listed === 'string') return onSkip(isElsewhere(listed) ? 'link' : 'unreadable', path);
    if (listed.isCut) onSkip('beyond_limit', path);
    seen += listed.entries.length;
    const own = readRules(root, parts, rules.at(-1), listed.entries);
    return { path, parts, entries: listed.entries, at: 0, rules: own ? [...rules, own] : rules, after };
  }

  const stack: Frame[] = [];
  const first = await enter(top, readOuterRules(root, top), splitPath(options.after ?? '').slice(top.length));
  if (first) stack.push(first);
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const entry = frame.entries[frame.at++];
    if (entry === undefined) {
      stack.pop();
      continue;
    }
    const name = nameOf(entry);
    const kind = kindOf(entry);
    const [begin, ...later] = frame.after;
    if (begin !== undefined && (name < begin || (name === begin && later.length === 0))) continue;
    const parts = [...frame.parts, name];
    const path = frame.path === '' ? name : `${frame.path}/${name}`;
    const isFolder = kind === 'folder';
    const turn = pause();
    if (turn) await turn;
    if (name === '.git' || leaveOut(name, path, isFolder)) continue;
    if (kind === 'link' || kind === 'other') onSkip(kind, path);
    else if (isIgnored(parts, isFolder, frame.rules)) onSkip('ignored', path);
    else if (!isFolder) {
      const stats = measure ? lookAt(join(root, path)) : undefined;
      if (measure && !stats?.isFile()) onSkip('unreadable', path);
      else yield { path, size: stats?.size ?? 0, modified: stats?.mtimeMs ?? 0, isFolder };
    } else if (stack.length >= depth) yield { path, size: 0, modified: 0, isFolder };
    else if (stack.length >= deepest) onSkip('too_deep', path);
    else {
      const inner = await enter(parts, frame.rules, name === begin ? later : []);
      if (inner) stack.push(inner);
    }
  }
}

/** It was replaced. */
function isElsewhere(reason: OpenRefusal): boolean {
  return reason === 'link' || reason === 'special' || reason === 'moved';
}

function splitPath(path: string): string[] {
  return path === '' ? [] : path.split('/');
}

/** Rules of the folders above. A folder that is named explicitly is not ignored. */
function readOuterRules(root: string, top: readonly string[]): IgnoreRules[] {
  const rules: IgnoreRules[] = [];
  for (const at of top.keys()) {
    const own = readRules(root, top.slice(0, at), rules.at(-1));
    if (own) rules.push(own);
  }
  return top.length > 0 && top.some((_, at) => isIgnored(top.slice(0, at + 1), true, rules)) ? [] : rules;
}

/** In sequence: the second may override the first. */
function readRules(
  root: string,
  parts: readonly string[],
  outer: IgnoreRules | undefined,
  entries?: readonly string[],
): IgnoreRules | undefined {
  const there = ruleFiles.filter((name) => !entries || entries.includes(`${name}\0f`));
  const texts = there.map((name) => readOpenedSync(openReal(join(root, ...parts, name)), largestRules)?.toString());
  const text = texts.filter((one) => one !== undefined).join('\n');
  return text === '' ? undefined : parseRules(text, parts.length, { outer });
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
