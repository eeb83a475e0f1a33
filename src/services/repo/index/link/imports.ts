// Resolves imports to files of the project, by the rules of each language. Uncertain ones are skipped.
import { posix } from 'node:path';
import type { PathIndex } from './path-index.ts';

type Resolve = (from: string, path: string, paths: PathIndex) => readonly string[];

const one = (path: string | undefined) => (path === undefined ? [] : [path]);

const scriptEndings = ['ts', 'tsx', 'mts', 'cts', 'd.ts', 'js', 'jsx', 'mjs', 'cjs', 'json', 'vue', 'svelte', 'css'];

function ecmascript(from: string, path: string, paths: PathIndex): readonly string[] {
  const tries = (base: string) => {
    const bare = base.replace(/\.[cm]?jsx?$/, '');
    return [
      base,
      ...(bare === base ? [] : ['ts', 'tsx', 'mts', 'cts'].map((ending) => `${bare}.${ending}`)),
      ...scriptEndings.map((ending) => `${base}.${ending}`),
      ...scriptEndings.map((ending) => posix.join(base, `index.${ending}`)),
    ];
  };
  if (from.startsWith('.')) return one(paths.first(tries(posix.join(posix.dirname(path), from))));
  // Names that projects give their own source folder.
  const own = /^(?:@|~|#|src)\/(.+)$/.exec(from)?.[1];
  if (own === undefined) return [];
  const folders = path.split('/').map((_, at, parts) => parts.slice(0, at).join('/'));
  for (const folder of folders.reverse()) {
    const found = paths.first(['src', '', 'app'].flatMap((top) => tries(posix.join(folder, top, own))));
    if (found !== undefined) return [found];
  }
  return [];
}

function python(from: string, path: string, paths: PathIndex): readonly string[] {
  const dots = /^\.+/.exec(from)?.[0].length ?? 0;
  const rest = from.slice(dots).trim().replaceAll('.', '/');
  if (dots > 0) {
    let folder = posix.dirname(path);
    for (let up = 1; up < dots; up++) folder = posix.dirname(folder);
    return one(paths.first(pythonFiles(posix.join(folder, rest))));
  }
  if (rest === '') return [];
  const exact = paths.first([...pythonFiles(rest), ...pythonFiles(`src/${rest}`)]);
  return one(exact ?? paths.endingWith(`${rest}.py`, path) ?? paths.endingWith(`${rest}/__init__.py`, path));
}

const pythonFiles = (base: string) => [`${base}.py`, posix.join(base, '__init__.py'), `${base}.pyi`];

/** A package is a folder: all its files but the tests. */
function go(from: string, _path: string, paths: PathIndex): readonly string[] {
  const parts = from.split('/');
  for (let at = 0; at < parts.length; at++) {
    // The last part alone is ambiguous.
    if (at > 0 && at === parts.length - 1 && parts.length > 3) return [];
    const found = paths.inFolder(parts.slice(at).join('/')).filter((name) => /(?<!_test)\.go$/.test(name));
    if (found.length > 0) return found.slice(0, 20);
  }
  return [];
}

function rust(from: string, path: string, paths: PathIndex): readonly string[] {
  const parts = (from.split(/[{*]| as /)[0] as string).split('::').map((part) => part.trim());
  const names = parts.filter((part) => part !== '');
  const folder = posix.dirname(path);
  const own = /(?:^|\/)(?:mod|lib|main)\.rs$/.test(path) ? folder : path.replace(/\.rs$/, '');
  const [head = '', ...rest] = names;
  if (head === 'self') return climb(own, rest, paths);
  if (head === 'super') return climb(posix.dirname(own), rest, paths);
  if (head === 'crate') {
    const source = /^(.*?(?:^|\/)src)(?:\/|$)/.exec(path)?.[1] ?? folder;
    return climb(source, rest, paths);
  }
  if (names.length === 1) return climb(own, names, paths);
  const other = paths.endingWith(`${head.replaceAll('_', '-')}/src/lib.rs`, path);
  return other === undefined ? [] : climb(posix.dirname(other), rest, paths, other);
}

function climb(folder: string, names: readonly string[], paths: PathIndex, fallback?: string): readonly string[] {
  for (let length = names.length; length > 0; length--) {
    const base = posix.join(folder, ...names.slice(0, length));
    const found = paths.first([`${base}.rs`, `${base}/mod.rs`]);
    if (found !== undefined) return [found];
  }
  return one(fallback ?? paths.first([`${folder}.rs`, `${folder}/mod.rs`, `${folder}/lib.rs`]));
}

function jvm(from: string, path: string, paths: PathIndex): readonly string[] {
  const base = from.replaceAll('.', '/');
  const outer = posix.dirname(base);
  for (const name of [base, outer]) {
    const found = paths.endingWith(`${name}.java`, path) ?? paths.endingWith(`${name}.kt`, path);
    if (found !== undefined) return [found];
  }
  return [];
}

function native(from: string, path: string, paths: PathIndex): readonly string[] {
  return one(
    paths.first([posix.join(posix.dirname(path), from), from]) ??
      paths.endingWith(posix.normalize(from).replace(/^(?:\.\.\/)+/, ''), path),
  );
}

function ruby(from: string, path: string, paths: PathIndex): readonly string[] {
  const file = from.endsWith('.rb') ? from : `${from}.rb`;
  return one(
    paths.first([posix.join(posix.dirname(path), file), `lib/${file}`]) ??
      paths.endingWith(posix.normalize(file).replace(/^(?:\.\.?\/)+/, ''), path),
  );
}

function php(from: string, path: string, paths: PathIndex): readonly string[] {
  if (from.includes('/') || from.endsWith('.php')) return native(from.replace(/^\//, ''), path, paths);
  const parts = from.split('\\').filter((part) => part !== '');
  for (let at = 0; at < parts.length; at++) {
    const found = paths.endingWith(`${parts.slice(at).join('/')}.php`, path);
    if (found !== undefined) return [found];
  }
  return [];
}

const relative: Resolve = (from, path, paths) =>
  one(paths.first([posix.join(posix.dirname(path), from.split(/[?#]/)[0] as string), from.replace(/^\//, '')]));

const rules: Record<string, Resolve> = {
  ecmascript,
  python,
  go,
  rust,
  jvm,
  native,
  ruby,
  php,
  bash: relative,
  html: relative,
  css: relative,
};

export function resolveImport(family: string, from: string, path: string, paths: PathIndex): readonly string[] {
  const found = rules[family]?.(from, path, paths) ?? [];
  return found.filter((target) => target !== path);
}
