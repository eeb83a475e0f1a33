// Skills as folders on disk, read: SKILL.md and the other texts beside and below it. No link is followed, so nothing from
// outside the folder that was named gets in; what is left out is told.
import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { LoreError } from '../../../core/error.ts';
import { skillFile } from '../../../core/skill.ts';
import type { GivenFile } from './keep-skill.ts';
import { longestContent } from './skill.ts';

interface SkillFolder {
  folder: string;
  content: string;
  files: GivenFile[];
  left: Left[];
}

export interface Left {
  path: string;
  reason: string;
}

/** How far below the folder that is named a skill may lie, and how deep its own folders may be. */
const levels = { skills: 2, files: 8 };
/** The extension for skills has 512, SKILL.md among them. */
const mostFiles = 511;
const mostBytes = 4_000_000;
const passedOver = new Set(['.git', 'node_modules', '.DS_Store']);

/** The folder itself if it is a skill, else those of one or two levels below. */
export function findSkillFolders(named: string): string[] {
  let folder: string;
  try {
    folder = realpathSync(named);
    if (!statSync(folder).isDirectory()) throw new Error('not a folder');
  } catch (cause) {
    throw new LoreError('not_found', `Cannot import skills from "${named}": there is no such folder`, { cause });
  }
  return findBelow(folder, levels.skills);
}

function findBelow(folder: string, depth: number): string[] {
  const entries = list(folder);
  if (entries.some((entry) => entry.name === skillFile && entry.isFile())) return [folder];
  if (depth === 0) return [];
  return entries
    .filter((entry) => entry.isDirectory() && !passedOver.has(entry.name))
    .flatMap((entry) => findBelow(join(folder, entry.name), depth - 1));
}

export function readSkillFolder(folder: string): SkillFolder {
  const path = join(folder, skillFile);
  const content = readText(path);
  if (content === undefined) throw refuse(path, 'it is not text in UTF-8');
  if (content.length > longestContent) throw refuse(path, `it is longer than ${longestContent} characters`);
  const read: SkillFolder = { folder, content, files: [], left: [] };
  let room = mostBytes;
  for (const { path: inside, entry } of walk(folder, '', levels.files)) {
    const leave = (reason: string) => read.left.push({ path: `${basename(folder)}/${inside}`, reason });
    const file = join(folder, inside);
    const size = entry.isFile() ? statSync(file).size : 0;
    const text = entry.isFile() && size <= room ? readText(file) : undefined;
    if (entry.isSymbolicLink()) leave('a link');
    else if (!entry.isFile()) leave('not a file');
    else if (size > room) leave(`more than ${mostBytes / 1_000_000} MB together`);
    else if (text === undefined) leave('not text');
    else if (read.files.length === mostFiles) leave(`more than ${mostFiles} files`);
    else {
      room -= size;
      read.files.push({ path: inside, text, executable: (statSync(file).mode & 0o100) !== 0 });
    }
  }
  return read;
}

function* walk(folder: string, below: string, depth: number): Generator<{ path: string; entry: Dirent }> {
  for (const entry of list(join(folder, below))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (passedOver.has(entry.name) || path === skillFile) continue;
    if (!entry.isDirectory()) yield { path, entry };
    else if (depth > 0) yield* walk(folder, path, depth - 1);
  }
}

/** By name, so that the same folder is always read in the same order. */
function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (cause) {
    throw refuse(folder, 'it cannot be read', cause);
  }
}

function readText(path: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw refuse(path, 'it cannot be read', cause);
  }
  const text = bytes.toString();
  return bytes.includes(0) || !Buffer.from(text).equals(bytes) ? undefined : text;
}

function refuse(path: string, state: string, cause?: unknown): LoreError {
  return new LoreError('invalid_input', `Cannot import "${path}": ${state}`, { cause });
}
