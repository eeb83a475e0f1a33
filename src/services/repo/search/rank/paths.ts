// The paths of a repository's files, parsed once, and how well a query matches each: words, the whole path or its end, or the
// module name.
import { analyze, inverseFrequency } from '../../../../graph/words.ts';
import type { PathMention } from './mention.ts';

interface Path {
  path: string;
  /** Of its folders and of its own name. */
  terms: ReadonlySet<string>;
  nameTerms: readonly string[];
  /** Without its extension; a module that is a folder's own goes by the folder's name. */
  module: string;
}

export class Paths {
  readonly all: readonly Path[];
  readonly #frequency = new Map<string, number>();
  readonly #places = new Map<string, number>();
  readonly #byName = new Map<string, number[]>();
  readonly #byModule = new Map<string, number[]>();

  constructor(paths: readonly string[]) {
    this.all = paths.map(readPath);
    for (const [at, { path, terms, module }] of this.all.entries()) {
      for (const term of terms) this.#frequency.set(term, (this.#frequency.get(term) ?? 0) + 1);
      this.#places.set(path, at);
      add(this.#byName, lastOf(path).toLowerCase(), at);
      add(this.#byModule, lastOf(module).toLowerCase(), at);
    }
  }

  placeOf(path: string): number | undefined {
    return this.#places.get(path);
  }

  rarity(term: string): number {
    return inverseFrequency(this.all.length, this.#frequency.get(term) ?? 0);
  }

  /** Files whose path ends like the mention, with the matching share; less if there are many. */
  matchPath({ path, weight }: PathMention): [at: number, share: number][] {
    let wanted = path.toLowerCase().split('/');
    let named = this.#byName.get(wanted.at(-1) as string) ?? [];
    if (named.length === 0) {
      wanted = nameSource(wanted);
      named = sourceEndings.flatMap((ending) => this.#byName.get(`${wanted.at(-1)}${ending}`) ?? []);
    }
    const found = named.map((at): [number, number] => {
      const own = (this.all[at] as Path).path.toLowerCase().split('/');
      let same = 1;
      while (same < wanted.length && same < own.length && own.at(-1 - same) === wanted.at(-1 - same)) same++;
      return [at, same];
    });
    const most = Math.max(0, ...found.map(([, same]) => same));
    const best = found.filter(([, same]) => same === most);
    return best.map(([at, same]) => [at, (weight * Math.min(1, 0.6 + same * 0.2)) / Math.sqrt(best.length)]);
  }

  /** The file of a dotted name, as far as its parts are folders and a module. */
  matchModule(parts: readonly string[]): [at: number, share: number][] {
    for (let length = parts.length; length > 0; length--) {
      const wanted = parts.slice(0, length).join('/').toLowerCase();
      const last = (parts[length - 1] as string).toLowerCase();
      const found = (this.#byModule.get(last) ?? []).filter((at) => {
        const module = (this.all[at] as Path).module.toLowerCase();
        return module === wanted || module.endsWith(`/${wanted}`);
      });
      if (found.length === 0 || (length === 1 && found.length > 3)) continue;
      const share = length === 1 ? 0.4 : 1;
      return found.map((at) => [at, share / Math.sqrt(found.length)]);
    }
    return [];
  }
}

const sourceEndings = ['.ts', '.tsx', '.mts', '.cts', '.jsx', '.js', '.mjs', '.vue'];

/** Published JavaScript was compiled: `lib/diff.js` from `src/diff.ts`. Without the ending. */
function nameSource(path: readonly string[]): string[] {
  const name = path.at(-1) as string;
  const folders = path.slice(0, -1).map((folder) => (/^(?:lib|dist|build|out|esm|cjs)$/.test(folder) ? 'src' : folder));
  return /\.[cm]?js$/.test(name) ? [...folders, name.replace(/\.[cm]?js$/, '')] : [name];
}

function readPath(path: string): Path {
  const name = lastOf(path).replace(/\.\w+$/, '');
  const bare = path.replace(/\.\w+$/, '');
  const module = /^(?:__init__|index|mod|lib|main)$/.test(name) ? bare.replace(/\/[^/]+$/, '') : bare;
  const own = lastOf(module === bare ? module : module.replace(/(?:^|\/)(?:src|lib|source|main)$/, '') || module);
  return { path, module, terms: new Set(analyze(bare)), nameTerms: [...new Set(analyze(own))] };
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function add(map: Map<string, number[]>, key: string, at: number): void {
  const known = map.get(key);
  if (known) known.push(at);
  else map.set(key, [at]);
}
