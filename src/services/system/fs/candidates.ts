// Programs that suggest files: ripgrep for texts, the platform's index of names (plocate, Spotlight). Their results are
// checked, because an index may be old, and they do not know which folders are allowed.
import { join } from 'node:path';
import { LoreError } from '../../../core/error.ts';
import { findProgram } from '../../../core/program/path.ts';
import { streamProgram } from '../../../core/program/program.ts';
import { maxSearched } from './content.ts';

export interface Finders {
  /** Paths in the folder of files that may contain the text; undefined without such a program. */
  texts(wanted: string, folder: string, around: Around): Promise<string[] | undefined>;
  /** Paths in the folder whose names may match; undefined if no index has any. */
  names(words: readonly string[], folder: string, around: Around): Promise<string[] | undefined>;
}

interface Around {
  /** Folders whose programs are not run. */
  roots: readonly string[];
  signal: AbortSignal;
  timeoutMs: number;
}

interface FinderSettings {
  /** Before all other arguments of plocate: another database. */
  indexArguments?: readonly string[];
  path?: string | undefined;
}

const maxCandidates = 200_000;
const maxBytes = 64 << 20;

export function createFinders({ indexArguments = [], path }: FinderSettings = {}): Finders {
  return {
    async texts(wanted, folder, around) {
      const program = await findProgram('rg', around.roots, path);
      // It looks line by line.
      if (program === undefined || /[\r\n]/.test(wanted)) return undefined;
      const args = ['--no-config', '--files-with-matches', '--null', '--no-messages', '--hidden', '--no-ignore'];
      args.push('--glob', '!.git', '--max-filesize', String(maxSearched));
      args.push('--fixed-strings', '--smart-case', '-e', wanted, '--', '.');
      const found = await gather({ program, args, folder, noneStatus: [1, 2] }, around);
      return found?.map((name) => join(folder, name));
    },
    async names(words, folder, around) {
      const plain = words.filter((word) => !/[*?[\\\]]/.test(word) && word !== '');
      if (plain.length === 0 || /[*?[\\\]]/.test(folder)) return undefined;
      const isMac = process.platform === 'darwin';
      const program = await findProgram(isMac ? 'mdfind' : 'plocate', around.roots, path);
      if (program === undefined) return undefined;
      const args = isMac
        ? ['-0', '-onlyin', folder, '-name', plain[0] as string]
        : [...indexArguments, '--null', '--ignore-case', '--limit', String(maxCandidates), '--', folder, ...plain];
      const found = await gather({ program, args, folder, noneStatus: [1] }, around);
      const below = found?.filter((name) => name.startsWith(join(folder, '/'))) ?? [];
      // An index that does not exist or excludes this folder is empty: only a walk can tell that there is nothing.
      return below.length > 0 ? below : undefined;
    },
  };
}

interface Search {
  program: string;
  args: readonly string[];
  folder: string;
  /** With these it found nothing, or not everything could be read. */
  noneStatus: readonly number[];
}

/** Names that end in NUL. Whatever goes wrong but a cancellation, there is still the walk. */
async function gather({ program, args, folder, noneStatus }: Search, around: Around): Promise<string[] | undefined> {
  const names: string[] = [];
  let rest = '';
  const nothing = new LoreError('not_found', 'nothing');
  const explain = (status: number) => (noneStatus.includes(status) ? nothing : undefined);
  const { signal, timeoutMs } = around;
  try {
    for await (const part of streamProgram({ program, args, folder, signal, timeoutMs, maxBytes, explain })) {
      const pieces = (rest + part).split('\0');
      rest = pieces.pop() ?? '';
      names.push(...pieces);
      if (names.length > maxCandidates) return undefined;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error !== nothing) return undefined;
  }
  return names;
}
