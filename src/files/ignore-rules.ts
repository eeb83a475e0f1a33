// Ignore rules of .gitignore and .loreignore, as in git: each applies in its folder, the last match decides, and rules of an
// inner folder come after those of an outer one.
import { type Glob, matchGlob, parseGlob, weigh } from './glob.ts';

export interface IgnoreRules {
  /** Depth of the folder that they apply to. */
  depth: number;
  caseless: boolean;
  rules: readonly Rule[];
  /** Cost of these rules and those of the folders above. */
  weight: number;
}

interface Rule {
  negated: boolean;
  foldersOnly: boolean;
  /** Matched by name, in any folder. */
  nameOnly: boolean;
  glob: Glob;
}

/** For file systems without case sensitivity, as git is configured there. */
const isCaseless = process.platform === 'win32' || process.platform === 'darwin';
const mostRules = 10_000;
/** Limit, because every letter of a path may be compared with each rule on the event loop. Large projects have a tenth. */
const mostWeight = 20_000;

/** `outer` are the rules of the folders above. Rules beyond the limit are ignored. */
export function parseRules(
  text: string,
  depth: number,
  { caseless = isCaseless, outer }: { caseless?: boolean; outer?: IgnoreRules | undefined } = {},
): IgnoreRules {
  const lines = text.replace(/^\uFEFF/, '').split('\n', mostRules);
  let weight = outer?.weight ?? 0;
  const rules = lines.flatMap((line) => {
    const rule = parseRule(line.replace(/\r$/, ''), caseless);
    const added = rule ? weigh(rule.glob) : 0;
    if (!rule || weight + added > mostWeight) return [];
    weight += added;
    return rule;
  });
  return { depth, caseless, rules, weight };
}

function parseRule(line: string, caseless: boolean): Rule | undefined {
  if (line.startsWith('#')) return undefined;
  let pattern = trimSpaces(line);
  const negated = pattern.startsWith('!');
  if (negated) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith('/');
  if (foldersOnly) pattern = pattern.slice(0, -1);
  if (pattern === '') return undefined;
  const nameOnly = !pattern.includes('/');
  const glob = parseGlob(pattern.replace(/^\//, ''), caseless);
  return glob && { negated, foldersOnly, nameOnly, glob: nameOnly ? withoutGlobstar(glob) : glob };
}

/** Alone, two stars are one. */
function withoutGlobstar(glob: Glob): Glob {
  return glob.map((segment) => (segment === 'globstar' ? { kind: 'any' } : segment));
}

/** Trailing spaces, unless a backslash escapes the first of them. */
function trimSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end--;
  if (end === line.length) return line;
  const backslashes = /\\*$/.exec(line.slice(0, end))?.[0].length ?? 0;
  return line.slice(0, backslashes % 2 === 1 ? end + 1 : end);
}

/** `parts` is the whole path from the root. The caller checks whether a folder above it is ignored. */
export function isIgnored(parts: readonly string[], isFolder: boolean, rules: readonly IgnoreRules[]): boolean {
  let lowered: string[] | undefined;
  for (let at = rules.length - 1; at >= 0; at--) {
    const { depth, caseless, rules: own } = rules[at] as IgnoreRules;
    if (caseless) lowered ??= parts.map((part) => part.toLowerCase());
    const seen = caseless ? (lowered as string[]) : parts;
    for (let index = own.length - 1; index >= 0; index--) {
      const { negated, foldersOnly, nameOnly, glob } = own[index] as Rule;
      if (foldersOnly && !isFolder) continue;
      if (matchGlob(glob, seen, nameOnly ? seen.length - 1 : depth)) return !negated;
    }
  }
  return false;
}
