// Memories as files in the working tree, for a commit by the user. The author of the repository may have put links there.
import { constants, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { LoreError } from '../../../core/error.ts';
import { kindOf, listFolder, nameOf } from '../../../files/folder.ts';
import { readInside } from '../../../files/inside.ts';
import { findGitDirectory } from '../../../graph/git/directory.ts';
import type { Node } from '../../../graph/node.ts';
import type { Scope } from '../../../graph/project/scope.ts';
import { listMemories, noteReviewed } from '../../../graph/share/reviewed.ts';
import { checkShare } from '../../../graph/share/share.ts';
import { nameFile, nameWhole, readFile, reviewFolder, writeFile } from './file.ts';

const mostFiles = 10_000;
const maxBytes = 200_000;

/** Writes one file for each memory; returns their paths. When they are merged, the memories become those of the team. */
export async function writeReview(scope: Scope, nodes: readonly Node[], by: string): Promise<string[]> {
  const { root, id: project } = scope.project;
  const found = root === '' ? undefined : findGitDirectory(root, new Map());
  if (!found || found.gitDirectory === root) {
    throw new LoreError('invalid_input', 'Cannot write files for review: this folder is not a working tree of git');
  }
  for (const node of nodes) checkShare(scope, node, 'team');
  makeFolder(root);
  const names = await listNames(root);
  const paths: string[] = [];
  for (const node of nodes) {
    const short = nameFile(node);
    // One that has other words by now, or that somebody renamed, is replaced.
    const name = names.get(node.id) ?? ([...names.values()].includes(short) ? nameWhole(node) : short);
    names.set(node.id, name);
    const path = `${reviewFolder}/${name}`;
    writeText(root, path, writeFile(node, by));
    await noteReviewed(scope.opened.store, project, node.id, { blob: '', proposed: node.hash });
    paths.push(path);
  }
  return paths;
}

function makeFolder(root: string): void {
  let folder = root;
  for (const part of reviewFolder.split('/')) {
    folder = join(folder, part);
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (!stats) attempt(relative(root, folder), () => mkdirSync(folder));
    else if (!stats.isDirectory()) throw writeError(relative(root, folder), 'it is not a folder of the repository');
  }
}

/** The names of files by the ids in them. */
async function listNames(root: string): Promise<Map<string, string>> {
  const listed = await listFolder(join(root, reviewFolder), mostFiles);
  if (typeof listed === 'string') throw writeError(reviewFolder, 'it cannot be listed');
  const names = new Map<string, string>();
  for (const entry of listed.entries) {
    const name = nameOf(entry);
    const bytes = kindOf(entry) === 'file' ? await readInside(root, `${reviewFolder}/${name}`, maxBytes) : undefined;
    const file = bytes && readFile(bytes.toString());
    names.set(file && 'id' in file && file.id !== undefined ? file.id : `file ${name}`, name);
  }
  return names;
}

function writeText(root: string, path: string, text: string): void {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
  if (stats && !stats.isFile()) throw writeError(path, 'it is not a file');
  const flag = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK;
  attempt(path, () => writeFileSync(join(root, path), text, { flag: flag as unknown as string }));
}

function attempt(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isDenied = code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
    throw writeError(path, isDenied ? 'permission denied' : 'the system refuses it', error);
  }
}

function writeError(path: string, state: string, cause?: unknown): LoreError {
  return new LoreError('forbidden', `Cannot write "${path}": ${state}`, { cause });
}

/** All current memories of a project, for people who want files. */
export async function* exportFiles(scope: Scope): AsyncGenerator<{ name: string; text: string }> {
  const names = new Set<string>();
  for (const id of await listMemories(scope)) {
    const node = await scope.opened.graph.get(id);
    if (!node) continue;
    const shared = node.data.shared as { by?: string } | undefined;
    const name = names.has(nameFile(node)) ? nameWhole(node) : nameFile(node);
    names.add(name);
    yield { name, text: writeFile(node, shared?.by ?? '') };
  }
}
