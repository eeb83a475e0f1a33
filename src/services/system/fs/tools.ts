// fs_search and fs_stat: files in the project and in granted folders.
import { lstatSync, type Stats } from 'node:fs';
import { readlink, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { readCursor, writeCursor } from '../../../core/cursor.ts';
import { LoreError } from '../../../core/error.ts';
import { isInside } from '../../../core/path.ts';
import * as s from '../../../core/schema.ts';
import { fenceLines, showHidden } from '../../../core/text/fence.ts';
import { describeTime, inOneLine, moreLine, type Style } from '../../../core/text/terminal.ts';
import { defineTool } from '../../../core/tool.ts';
import { holdFolder } from '../../../files/folder.ts';
import { type OpenRefusal, refusalOf } from '../../../files/open.ts';
import { isOwnInode } from '../../../files/own.ts';
import type { Folders } from '../../../graph/project/grant.ts';
import { createFinders, type Finders } from './candidates.ts';
import { fileTypes, typeOf } from './match.ts';
import { checkPlace } from './position.ts';
import { openRoots, pathError, type Roots, resolveWithin } from './roots.ts';
import { searchTimes as defaultTimes, type FoundFile, type SearchTimes, searchFiles } from './search.ts';

export interface FileToolSettings {
  finders?: Finders;
  searchTimes?: SearchTimes;
}

const file = s.object({
  path: s.string(),
  type: s.oneOf(fileTypes),
  size: s.integer(),
  modified: s.string(),
  line: s.optional(s.integer()),
  text: s.optional(s.string()),
});

const found = s.object({
  files: s.list(file),
  next_cursor: s.optional(s.string()),
  incomplete: s.optional(s.boolean({ description: 'Timed out; next_cursor continues' })),
  index: s.optional(s.boolean({ description: 'From an index: the newest files may be missing' })),
});

const time = s.optional(s.string({ description: 'ISO date', max: 40 }));
const size = s.optional(s.integer({ min: 0 }));

export function createFileTools(folders: Folders, own: FileToolSettings = {}) {
  return [createSearchTool(folders, own), createStatTool(folders)];
}

function createSearchTool(
  folders: Folders,
  { finders = createFinders(), searchTimes = defaultTimes }: FileToolSettings,
) {
  return defineTool({
    name: 'fs_search',
    title: 'Search files',
    description: 'Find files in the project (or granted folders) by name, size, time or content.',
    effect: 'read',
    main: 'query',
    examples: [
      ['lore fs search invoice', 'words in the path'],
      ["lore fs search --name '*.log' --min-size 1000000", 'large log files'],
    ],
    audited: true,
    expensive: true,
    input: s.object({
      query: s.optional(s.string({ description: 'Words in the path', max: 400 })),
      name: s.optional(s.string({ description: 'File name; * and ? are wildcards', max: 255 })),
      path: s.optional(s.string({ description: 'Folder to search', max: 4_096 })),
      type: s.optional(s.oneOf(fileTypes)),
      min_size: size,
      max_size: size,
      modified_after: time,
      modified_before: time,
      content: s.optional(s.string({ description: 'Text in the file', min: 1, max: 1_000 })),
      limit: s.withDefault(s.integer({ min: 1, max: 1_000 }), 100),
      cursor: s.optional(s.string({ max: 10_000 })),
    }),
    output: found,
    async run({ path, cursor, ...wanted }, { caller, signal }) {
      const roots = await openRoots(folders, caller);
      const tops = path === undefined ? roots.folders : [await resolveFolder(roots, path)];
      const after =
        cursor === undefined ? undefined : readCursor(cursor, (top, way, name) => checkPlace(top, way, name, tops));
      const request = { ...wanted, after };
      const { files, next, incomplete, index } = await searchFiles(tops, roots, request, {
        finders,
        signal,
        searchTimes,
      });
      return {
        files: files.map((each) => viewFile(each, roots)),
        ...(next && { next_cursor: writeCursor(next.top, next.way, next.name) }),
        ...(incomplete && { incomplete }),
        ...(index && { index }),
      };
    },
    render: (result) => renderFound(result),
    show: (result, style) => renderFound(result, style),
  });
}

function viewFile({ place: { top, way, name }, type, stats, line, text }: FoundFile, roots: Roots) {
  return {
    path: roots.nameOf(join(top, ...way, name)),
    type,
    size: stats.size,
    modified: stats.mtime.toISOString(),
    ...(line !== undefined && { line }),
    ...(text !== undefined && { text }),
  };
}

function renderFound({ files, next_cursor: next, incomplete, index }: s.Infer<typeof found>, style?: Style): string {
  const lines = files.map(({ path, type, size, modified, line, text }) => {
    const when = style ? describeTime(modified, style.now) : modified.slice(0, 16);
    const place = `${inOneLine(path)}${type === 'folder' ? '/' : ''}${line === undefined ? '' : `:${line}`}`;
    const facts = `${type === 'file' ? `${size} bytes` : type}, ${when}`;
    return text === undefined
      ? `${place}  ${style ? style.dim(facts) : facts}`
      : `${place}: ${showHidden(text).trim()}`;
  });
  // Lines of files are data; names alone need no fence.
  const shown = !style && files.some(({ text }) => text !== undefined) ? [fenceLines(lines)] : lines;
  if (files.length === 0) shown.push('Nothing found.');
  if (index) shown.push('Partly from an index: the newest files may be missing.');
  if (incomplete) shown.push(`The search timed out.${style ? '' : ` Continue with cursor ${next}`}`);
  else if (next !== undefined) shown.push(style ? style.dim(moreLine) : `More: cursor ${next}`);
  return shown.join('\n');
}

async function resolveFolder(roots: Roots, path: string): Promise<string> {
  const real = await resolveWithin(roots, path, 'search');
  const stats = await stat(real).catch(() => undefined);
  if (stats?.isDirectory()) return real;
  throw new LoreError('invalid_input', `Cannot search "${path}": it is not a folder`, {
    hint: 'Use fs_stat for a single file.',
    details: { path: 'arguments.path', expected: 'a folder', received: path },
  });
}

const facts = s.object({
  path: s.string(),
  type: s.oneOf(fileTypes),
  size: s.integer(),
  modified: s.string(),
  created: s.string(),
  mode: s.string({ description: 'Like 0644' }),
  target: s.optional(s.string({ description: 'Target of a link' })),
});

function createStatTool(folders: Folders) {
  return defineTool({
    name: 'fs_stat',
    title: 'Stat a file',
    description: 'Return type, size, times and mode of a file or folder in the project (or granted folders).',
    effect: 'read',
    examples: [['lore fs stat package.json', 'size, times and mode']],
    audited: true,
    input: s.object({ path: s.string({ min: 1, max: 4_096 }) }),
    output: facts,
    async run({ path }, { caller }) {
      const roots = await openRoots(folders, caller);
      const real = await resolveWithin(roots, path, 'stat');
      const stats = lookAt(real);
      if (typeof stats === 'string') throw statError(path, stats);
      const target = await findTarget(roots, path, real);
      return {
        path: roots.nameOf(target === undefined ? real : resolve(roots.from, path)),
        type: typeOf(stats),
        size: stats.size,
        modified: stats.mtime.toISOString(),
        created: stats.birthtime.toISOString(),
        mode: (stats.mode & 0o7777).toString(8).padStart(4, '0'),
        ...(target !== undefined && { target: roots.nameOf(real) }),
      };
    },
    render: ({ path, type, size, modified, created, mode, target }) =>
      `${inOneLine(path)}: ${type}, ${size} bytes, modified ${modified}, created ${created}, mode ${mode}${target === undefined ? '' : `, a link to ${inOneLine(target)}`}`,
  });
}

function lookAt(real: string): Stats | OpenRefusal {
  const held = holdFolder(dirname(real));
  if (typeof held === 'string') return held;
  try {
    const stats = lstatSync(join(held.path, basename(real)));
    if (isOwnInode(stats)) return 'own';
    return held.isStill() && !stats.isSymbolicLink() ? stats : 'moved';
  } catch (error) {
    return refusalOf(error);
  } finally {
    held.close();
  }
}

function statError(path: string, reason: OpenRefusal): LoreError {
  if (reason === 'own') return pathError(path, "it is one of Lorekeeper's own files", 'stat');
  if (reason === 'denied') return pathError(path, 'permission denied', 'stat');
  if (reason === 'exhausted' || reason === 'failed') {
    const state = reason === 'exhausted' ? 'too many files are open' : 'the disk cannot read it';
    return new LoreError('unavailable', `Cannot stat "${path}": ${state}`);
  }
  return new LoreError('conflict', `Cannot stat "${path}": it is being replaced`, { hint: 'Try again.' });
}

/** Only if the path itself is a link within the roots. */
async function findTarget(roots: Roots, path: string, real: string): Promise<string | undefined> {
  const asked = resolve(roots.from, path);
  if (asked === real || !roots.folders.some((folder) => isInside(dirname(asked), folder))) return undefined;
  return readlink(asked).catch(() => undefined);
}
