// Finds files and folders: paths of any system, well-known names, and names with an extension of source code. Other text with
// a slash (and/or, client/server, /api/users) does not count.
import type { EntityDraft } from './draft.ts';
import { brandStems } from './words.ts';

/** A bracket belongs to a path only as a segment: `app/[id]/page.tsx`, `app/(group)/page.tsx`. */
const token = /(?:[A-Za-z0-9À-ɏ_.~@+\-/\\:#$]|(?<=\/)[([]|(?<=[\w.])[)\]](?=[/.]))+/g;
const quotedWindows = /(["'`])([A-Za-z]:\\[^"'`\n<>|?*]{1,250})\1/g;
const maxLength = 260;

const endings = new Set(
  `ts tsx mts cts js jsx mjs cjs json jsonc json5 jsonl ndjson py pyi ipynb rb rs go java kt kts scala swift php pl lua
  dart ex exs erl hs clj zig nim c h cc cpp cxx hpp hh cs vb sh bash zsh fish ps1 bat cmd sql graphql gql proto prisma vue
  svelte astro html htm css scss sass less md mdx rst adoc txt csv tsv xml yaml yml toml ini cfg conf properties gradle
  cmake tf tfvars hcl nix log svg png jpg jpeg gif webp ico pdf zip tgz gz bz2 xz 7z jar war dll exe wasm db sqlite
  sqlite3 parquet onnx pem crt snap patch diff ejs hbs pug tex plist csproj sln vcxproj`.split(/\s+/),
);
/** Extensions that are words or methods elsewhere. */
const endingsInFolders = new Set(
  'm mm r d v s so a o lib map lock env config class key service example sample template bak tmp pid sock mk in'.split(
    ' ',
  ),
);

const knownNames = new Map(
  `Makefile GNUmakefile Dockerfile Containerfile Gemfile Rakefile Procfile Vagrantfile Jenkinsfile Justfile Brewfile
  Podfile Fastfile Pipfile Caddyfile Tiltfile CODEOWNERS go.mod go.sum go.work yarn.lock Cargo.lock poetry.lock uv.lock
  Gemfile.lock composer.lock Pipfile.lock flake.lock deno.lock bun.lock bun.lockb docker-compose.yml BUILD.bazel`
    .split(/\s+/)
    .map((name) => [name.toLowerCase(), name]),
);
const dotFile =
  /^\.(?:env(?:\.[\w-]+)*|git(?:ignore|attributes|modules|config|keep)|[a-z]{2,20}rc(?:\.(?:[cm]?js|ts|json|ya?ml))?|[a-z]{2,20}ignore|editorconfig|bash_profile|zshenv|node-version|tool-versions|python-version|htaccess|mailmap)$/;
const variantOfKnown = /^(?:Dockerfile|Makefile)\.[\w-]+$/;

const systemRoots =
  /^\/(?:etc|usr|var|home|tmp|opt|bin|sbin|lib|srv|root|proc|sys|mnt|Users|Library|Applications|private|Volumes|workspaces?)\//;
const sourceFolders =
  /^(?:src|node_modules|packages|apps|internal|cmd|crates|\.github|\.git|\.vscode|\.husky|\.claude|\.cursor)\//;
const mixedFolders =
  /^(?:lib|tests?|spec|docs?|scripts|bin|dist|build|public|assets|pkg|config|components|include|vendor|migrations|examples|bench|tools)\//;
const website = /^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|ai|co|app|edu|gov)$/i;
/** Looks like `name.extension`, but is a site, a library or a method. */
const notFiles =
  /^(?:(?:docs|crates|lib)\.rs|(?:bun|brew|get|deno|esm)\.sh|(?:res|resp|response|req|request|body|r)\.json|(?:console|logger|log|math)\.log|process\.env|discord\.py|[a-z]+\.(?:map|class|lock|key|env)|\d+\.\w+)$/i;

export function findFiles(draft: EntityDraft): void {
  for (const match of draft.text.matchAll(quotedWindows)) {
    const written = match[2] as string;
    draft.claim('file', normalisePath(written), match.index + 1, match.index + 1 + written.length);
  }
  draft.settle();
  const { text } = draft;
  for (const match of text.matchAll(token)) {
    // Most tokens are plain words, which end here.
    if (!/[./\\]/.test(match[0]) && !knownNames.has(match[0].toLowerCase().replace(/:$/, ''))) continue;
    const [start, end] = trim(text, match.index, match.index + match[0].length);
    if (end - start < 3 || end - start > maxLength || /[}*%]/.test(text[start - 1] ?? '')) continue;
    const name = readFile(text.slice(start, end), text[end], text[end + 1]);
    if (name) draft.claim('file', isInDiff(text, start) ? name.replace(/^[ab]\//, '') : name, start, end);
  }
}

function trim(text: string, from: number, to: number): [number, number] {
  let [start, end] = [from, to];
  while (end > start && '.,:;!?)]-#+@$'.includes(text[end - 1] as string)) end--;
  while (start < end && '([:#+,'.includes(text[start] as string)) start++;
  return [start, end];
}

function readFile(written: string, next: string | undefined, afterNext: string | undefined): string | undefined {
  const place = written
    .replace(/^file:\/\/(?=\/)/, '')
    .replace(/^\$HOME(?=\/)/, '~')
    .replace(/#L\d+(?:-L?\d+)?$/, '');
  const drive = /^[A-Za-z]:[\\/]/.test(place);
  const colon = place.indexOf(':', drive ? 2 : 0);
  const path = colon < 0 ? place : place.slice(0, colon);
  if (path.length < 3 || /[$#:]/.test(drive ? path.slice(2) : path) || /^-|.~|^[^/\\]+@/.test(path)) return undefined;
  const isFolded = /[\\/]/.test(path);
  // `res.json(` calls a method; `a.ts(12,5)` is a compiler's notation for a position.
  if (!isFolded && next === '(' && !/\d/.test(afterNext ?? '')) return undefined;
  if (!drive && path.includes('\\') && path.includes('/')) return undefined;
  const unified = path.replace(/\\+/g, '/');
  if (!(isFolded ? isPath(unified, drive, path.includes('\\')) : isFileName(unified))) return undefined;
  // Of `host:path` and `key:value` only the part before the colon can be a file, and only if it is one by itself.
  return normalisePath(path) || undefined;
}

function isPath(path: string, drive: boolean, hasBackslash: boolean): boolean {
  if (drive) return path.length > 4;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const last = parts.at(-1) ?? '';
  if (path === '/dev/null' || website.test(parts[0] ?? '')) return false;
  if (hasEnding(last, true) || isKnownName(last)) return parts.length > 1 || /^(?:\.{0,2}|~)\//.test(path);
  if (hasBackslash || /^\.+$/.test(last)) return false;
  if (/^(?:~|\.{1,2})\//.test(path)) return parts.length > 1;
  if (systemRoots.test(path) || sourceFolders.test(path)) return parts.length > 1;
  return mixedFolders.test(path) && (parts.length > 2 || (path.endsWith('/') && parts.length > 1));
}

function isFileName(name: string): boolean {
  if (isKnownName(name)) return true;
  if (notFiles.test(name) || !hasEnding(name, false)) return false;
  const stem = name.slice(0, name.indexOf('.', 1));
  if (/\.[ch]$/i.test(name) && !/^[\w-]{2,}\.[ch]$/i.test(name)) return false;
  return /[A-Za-z]/.test(stem) && !(/\.js$/i.test(name) && brandStems.has(stem.toLowerCase()));
}

function isKnownName(name: string): boolean {
  return knownNames.has(name.toLowerCase()) || dotFile.test(name) || variantOfKnown.test(name);
}

function hasEnding(name: string, inFolder: boolean): boolean {
  const dot = name.lastIndexOf('.');
  if (dot < 1 || !/^[\w.[(@+À-ɏ-]/.test(name)) return false;
  const ending = name.slice(dot + 1).toLowerCase();
  return endings.has(ending) || (inFolder && endingsInFolders.has(ending)) || /\.(?:[cm]?js|css)\.map$/.test(name);
}

/** Forward slashes, no `./`, no `x/..`, no trailing slash; upper-case drive. */
function normalisePath(written: string): string {
  const path = written.replace(/\\+/g, '/').replace(/^[a-z](?=:)/, (letter) => letter.toUpperCase());
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  const last = parts.at(-1) ?? '';
  if (parts.length > 0) parts[parts.length - 1] = knownNames.get(last.toLowerCase()) ?? last;
  return (written.startsWith('\\\\') ? '//' : path.startsWith('/') ? '/' : '') + parts.join('/');
}

/** git marks the two sides of a diff with `a/` and `b/`. */
function isInDiff(text: string, start: number): boolean {
  return /(?:--- |\+\+\+ |--git |--git a\/[^\s]{1,200} )$/.test(text.slice(Math.max(0, start - 210), start));
}
