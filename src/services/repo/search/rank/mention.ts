// What a query names explicitly: paths, modules, and identifiers. Reports of an error often name its origin.

export interface NameMention {
  name: string;
  /** How sure it is that it is a name of code, and how much is made of it. */
  weight: number;
}

export interface PathMention {
  /** With slashes. */
  path: string;
  weight: number;
}

export interface Mentions {
  paths: PathMention[];
  /** The files of a traceback, innermost last, including libraries. */
  frames: string[];
  /** Parts of dotted names, as far as they go. */
  modules: { parts: string[]; weight: number }[];
  names: NameMention[];
}

/** Limited depth: an endless path would be scanned again from each of its slashes. */
const pathLike = /(?<![\w.@~+-])(?:[A-Za-z]:)?[\w.@~+-]{0,200}(?:[\\/][\w.@+-]{1,200}){0,40}\.[A-Za-z]{1,5}\b/g;
const fileLike =
  /\.(?:py|pyi|pyx|[cm]?[jt]sx?|vue|svelte|go|rs|java|kt|scala|cs|php|swift|c|h|cc|cpp|hpp|rb|sh|y|html|css|ya?ml|json|md)$/i;
const dotted = /\b[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*){1,40}/g;
const identifier = /[A-Za-z_$][\w$]*/g;
/** The frames of a traceback: the innermost is named last in Python. */
const frame = /File "([^"]+)", line \d+, in (\S+)/g;
/** Java's names the innermost first, and a class where others name a folder. */
const javaFrame = /\bat ([\w.$]{1,200})\.[\w$]+\.[\w$<>]+\((\w+\.(?:java|kt|scala)):\d+\)/g;
/** The others name the innermost first, too: JavaScript and Rust, Ruby, PHP, Go, C. */
const otherFrame =
  /\bat (?:[^\n(]{0,200}\()?((?:[\w.@+~:-]{0,200}[\\/]){1,40}[\w.@+~-]{1,200}\.(?:[cm]?[jt]sx?|rs)):\d+:\d+|([\w./@+~-]{1,400}\.rb):\d+:in |^#\d+ ([\w./@+~-]{1,400}\.php)\(\d+\)|^[ \t]+([\w./@+~-]{1,400}\.go):\d+|^#\d+ [^\n]{0,200} at ([\w./@+~-]{1,400}\.(?:c|cc|cpp|h)):\d+/gm;
const quoted = /`([^`\n]{1,200})`|"([\w.:$-]{2,60})"|'([\w.:$-]{2,60})'/g;
const humped = /[a-z0-9][A-Z]|[A-Z]{2}[a-z]|^[A-Z][a-z]+[A-Z]/;
const fences = /```[\s\S]*?(?:```|$)/g;

export function findMentions(title: string, body: string): Mentions {
  const paths = new Map<string, number>();
  const modules = new Map<string, { parts: string[]; weight: number }>();
  const names = new Map<string, number>();
  const addName = (name: string, weight: number) => {
    if (name.length < 3 || /^\d/.test(name)) return;
    names.set(name, Math.max(names.get(name) ?? 0, weight));
  };
  const addPath = (path: string, weight: number) => {
    const clean = cleanPath(path);
    if (fileLike.test(clean)) paths.set(clean, Math.max(paths.get(clean) ?? 0, weight));
  };
  const frames = [...body.matchAll(frame)];
  for (const [at, [, path = '', name = '']] of frames.entries()) {
    const weight = 1 - Math.min(0.8, (frames.length - 1 - at) * 0.2);
    addPath(path, weight);
    addName(name, 0.5 * weight);
  }
  for (const [text, share] of [
    [title, 1],
    [body.replace(frame, ' '), 0.6],
  ] as const) {
    for (const [path] of text.matchAll(pathLike)) addPath(path, share);
    for (const [found] of text.matchAll(dotted)) {
      const parts = found.split(/\.|::|->/);
      const known = modules.get(found);
      if (!known || known.weight < share) modules.set(found, { parts, weight: share });
      for (const part of parts) addName(part, share * 0.7);
    }
    for (const match of text.matchAll(quoted)) {
      for (const [part] of (match[1] ?? match[2] ?? match[3] ?? '').matchAll(identifier)) addName(part, share);
    }
    const prose = text.replace(fences, ' ');
    for (const [name] of prose.matchAll(identifier)) {
      if (name.includes('_') || humped.test(name)) addName(name, share);
    }
    for (const match of prose.matchAll(/(?<![\w$])([A-Za-z_$][\w$]*)\(/g)) addName(match[1] as string, share);
    for (const [block] of text.matchAll(fences)) {
      for (const [name] of block.matchAll(identifier)) {
        addName(name, share * (name.includes('_') || humped.test(name) ? 0.6 : 0.25));
      }
    }
    // Some trackers indent code instead of fencing it, and titles name classes plainly.
    for (const [name] of text.matchAll(/\b[A-Z][a-z]\w+/g)) addName(name, share * 0.3);
    if (share === 1) for (const [name] of text.matchAll(identifier)) addName(name, 0.3);
  }
  return {
    paths: [...paths].map(([path, weight]) => ({ path, weight })),
    frames: [
      ...[...body.matchAll(javaFrame)]
        .map(([, name = '', file = '']) => `${name.replaceAll('.', '/')}/${file}`)
        .reverse(),
      ...[...body.matchAll(otherFrame)].map((match) => cleanPath(match.slice(1).find(Boolean) ?? '')).reverse(),
      ...frames.map(([, path = '']) => cleanPath(path)),
    ],
    modules: [...modules.values()],
    names: [...names].map(([name, weight]) => ({ name, weight })),
  };
}

function cleanPath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:file:|webpack:)?\/*(?:[A-Za-z]:|~|\.{1,2})?\/+/, '');
}
