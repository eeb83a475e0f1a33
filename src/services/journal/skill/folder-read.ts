// Reads skills from folders: SKILL.md and the other text files. Links are not followed, so nothing from outside the folder
// is imported. Skipped files are reported.
import { basename, join } from 'node:path';
import { LoreError } from '../../../core/error.ts';
import { skillFile } from '../../../core/skill.ts';
import { kindOf, listFolder, nameOf } from '../../../files/folder.ts';
import { resolveNamed } from '../../../files/inside.ts';
import { type OpenFile, type OpenRefusal, openReal, readOpened } from '../../../files/open.ts';
import { longestContent } from './skill.ts';
import type { GivenFile } from './store-skill.ts';

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

const pathArgument = {
  action: 'import skills from',
  argument: 'folder',
  hint: 'Name the folder itself rather than a link to it.',
};
/** Maximum depth of a skill below the given folder, and of its own folders. */
const levels = { skills: 2, files: 8 };
/** The extension for skills has 512, SKILL.md among them. */
const mostFiles = 511;
const mostBytes = 4_000_000;
const mostEntries = 10_000;
const passedOver = new Set(['.git', 'node_modules', '.DS_Store']);

/** The folder itself if it is a skill, else those of one or two levels below. */
export async function findSkillFolders(named: string): Promise<string[]> {
  const found = await findBelow(resolveNamed(named, pathArgument), levels.skills);
  if (found) return found;
  throw new LoreError('not_found', `Cannot import skills from "${named}": there is no such folder`);
}

/** Undefined if it is not a folder. */
async function findBelow(folder: string, depth: number): Promise<string[] | undefined> {
  const entries = await list(folder);
  if (entries?.some(({ name, kind }) => name === skillFile && kind === 'file')) return [folder];
  if (depth === 0) return [];
  const found: string[] = [];
  for (const { name, kind } of entries ?? []) {
    if (kind !== 'folder' || passedOver.has(name)) continue;
    found.push(...((await findBelow(join(folder, name), depth - 1)) ?? []));
  }
  return entries && found;
}

export async function readSkillFolder(folder: string): Promise<SkillFolder> {
  const path = join(folder, skillFile);
  const opened = openReal(path);
  if (typeof opened === 'string') throw importError(path, 'it cannot be read');
  const content = await readText(opened);
  if (content === undefined) throw importError(path, 'it is not text in UTF-8');
  if (content.length > longestContent) throw importError(path, `it is longer than ${longestContent} characters`);
  const read: SkillFolder = { folder, content, files: [], left: [] };
  let room = mostBytes;
  for await (const inside of walk(folder, '', levels.files)) {
    const leave = (reason: string) => read.left.push({ path: `${basename(folder)}/${inside}`, reason });
    const file = openReal(join(folder, inside));
    if (typeof file === 'string') {
      leave(reasons[file] ?? 'not readable');
      continue;
    }
    const { size, mode } = file;
    const text = await readText(file, room);
    if (size > room) leave(`more than ${mostBytes / 1_000_000} MB in total`);
    else if (text === undefined) leave('not text');
    else if (read.files.length === mostFiles) leave(`more than ${mostFiles} files`);
    else {
      room -= size;
      read.files.push({ path: inside, text, executable: (mode & 0o100) !== 0 });
    }
  }
  return read;
}

const reasons: { readonly [reason in OpenRefusal]?: string } = {
  link: 'a link',
  moved: 'a link',
  special: 'not a file',
  own: "Lorekeeper's own file",
};

async function* walk(folder: string, below: string, depth: number): AsyncGenerator<string> {
  for (const { name, kind } of (await list(join(folder, below))) ?? []) {
    const path = below === '' ? name : `${below}/${name}`;
    if (passedOver.has(name) || path === skillFile) continue;
    if (kind !== 'folder') yield path;
    else if (depth > 0) yield* walk(folder, path, depth - 1);
  }
}

async function list(folder: string) {
  const listed = await listFolder(folder, mostEntries);
  if (typeof listed === 'string') return undefined;
  return listed.entries.map((entry) => ({ name: nameOf(entry), kind: kindOf(entry) }));
}

async function readText(file: OpenFile, most = mostBytes): Promise<string | undefined> {
  const bytes = await readOpened(file, most);
  const text = bytes?.toString();
  return text === undefined || bytes?.includes(0) || !bytes?.equals(Buffer.from(text)) ? undefined : text;
}

function importError(path: string, state: string): LoreError {
  return new LoreError('invalid_input', `Cannot import "${path}": ${state}`);
}
