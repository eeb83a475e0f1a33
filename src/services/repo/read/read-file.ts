// read_file: returns lines of a file or of a symbol in it; shows images and describes other binary files.
import { relative, resolve, sep } from 'node:path';
import type { Call } from '../../../core/call.ts';
import { LoreError } from '../../../core/error.ts';
import * as s from '../../../core/schema.ts';
import { defineTool } from '../../../core/tool.ts';
import type { RepoContext, RepositoryTree } from '../context.ts';
import { type FileView, fileShape } from './file-shape.ts';
import { renderFile, showFile } from './file-show.ts';
import type { Lines } from './file-view.ts';
import type { FindSymbol, SymbolRange } from './symbol.ts';

export const repoArgument = s.optional(
  s.string({ min: 1, max: 4_096, description: 'Granted folder or git URL; default: this project' }),
);

export function createReadFileTool(context: RepoContext, findSymbol?: FindSymbol) {
  return defineTool({
    name: 'read_file',
    title: 'Read a file',
    description:
      'Read numbered lines of a file of the repository, at most 24 KB or 2,000 lines at once; the result says where to continue. With symbol, read the lines that define it.',
    effect: 'read',
    examples: [
      ['lore read file src/main.ts --start 10 --end 40', 'some lines'],
      ['lore read file src/main.ts --symbol parse', 'one definition'],
    ],
    openWorld: true,
    input: s.object({
      path: s.string({ min: 1, max: 4_096, description: 'Relative to the repository root' }),
      start: s.optional(s.integer({ min: 1, description: 'First line, from 1' })),
      end: s.optional(s.integer({ min: 1, description: 'Last line' })),
      offset: s.optional(
        s.integer({ min: 0, description: 'First byte instead of start, as next_offset says; for very long lines' }),
      ),
      symbol: s.optional(s.string({ min: 1, max: 300, description: 'Like parse or Parser.parse' })),
      repo: repoArgument,
    }),
    output: s.object(fileShape),
    async run({ path, start, end, offset, symbol, repo }, call) {
      const { pageBytes: maxBytes, viewFile } = await import('./file-view.ts');
      const place = await context.locate(call, repo);
      const isLines = start !== undefined || end !== undefined;
      if (offset !== undefined && (isLines || symbol !== undefined)) throw argumentsError('offset');
      if (symbol === undefined) {
        return viewFile(place, path, { start, end, offset, maxBytes }, call.signal).catch((error: unknown) =>
          suggestPath(error, place, path, call.caller.folder),
        );
      }
      if (isLines) throw argumentsError('symbol');
      const range = await findRange(call, place, path, symbol, findSymbol);
      return { ...(await viewFile(place, path, { ...range, maxBytes }, call.signal)), symbol };
    },
    render: (view) => renderFile(view),
    show: (view, style) => showFile(view, style),
  });
}

/** A person in a subfolder may mean a file that is there. */
async function suggestPath(error: unknown, place: RepositoryTree, path: string, folder: string): Promise<never> {
  if (!(error instanceof LoreError) || error.word !== 'not_found' || place.url !== undefined) throw error;
  const { resolveInside } = await import('../../../files/inside.ts');
  const there = relative(place.root, resolve(folder, path)).split(sep).join('/');
  const found = await resolveInside(place.root, there).catch(() => undefined);
  if (!found) throw error;
  const { message, details } = error;
  throw new LoreError('not_found', message, {
    hint: `Paths start at the root of the repository: "${found.name}" exists.`,
    ...(details && { details }),
  });
}

async function findRange(
  call: Call,
  place: RepositoryTree,
  path: string,
  symbol: string,
  findSymbol?: FindSymbol,
): Promise<Lines> {
  const { resolveInside } = await import('../../../files/inside.ts');
  const { name } = await resolveInside(place.root, path);
  // The index may be missing or outdated; the text is current.
  const known = await findSymbol?.(call, place, name, symbol).catch(() => undefined);
  const range = known ?? (await guess(call, place, path, symbol));
  if (range) return range;
  throw new LoreError('not_found', `Cannot find symbol "${symbol}": "${path}" does not define it`, {
    hint: 'search_code finds where it is defined; without symbol, read_file returns the whole file.',
    details: { path: 'arguments.symbol', expected: 'a symbol that the file defines', received: symbol },
  });
}

/** Lines searched for a symbol. */
const mostLines = 50_000;

async function guess(
  call: Call,
  place: RepositoryTree,
  path: string,
  symbol: string,
): Promise<SymbolRange | undefined> {
  const [{ viewFile }, { guessSymbol }] = await Promise.all([import('./file-view.ts'), import('./symbol.ts')]);
  const parts: string[] = [];
  for (let start: number | undefined = 1; start !== undefined && start < mostLines; ) {
    const view: FileView = await viewFile(place, path, { start }, call.signal);
    if (view.text === undefined) return undefined;
    parts.push(view.cut && !view.text.endsWith('\n') ? `${view.text}\n` : view.text);
    start = view.next_start;
  }
  return guessSymbol(parts.join(''), symbol);
}

function argumentsError(name: 'symbol' | 'offset'): LoreError {
  return new LoreError('invalid_input', `Cannot read it: ${name} cannot be combined with other positions`, {
    details: { path: `arguments.${name}`, expected: 'symbol, offset, or start and end', received: 'several' },
  });
}
