// Paths that are not indexed besides ignored ones, by name alone: installed, built, vendored and generated files, binary files,
// and files with secrets.
import { isIgnored, parseRules } from '../../../files/ignore-rules.ts';

export interface PathFilterOptions {
  /** Patterns as in .gitignore. */
  include?: readonly string[] | undefined;
  exclude?: readonly string[] | undefined;
}

/** Why a path is skipped; undefined if it is not. */
export type PathFilter = (name: string, path: string, isFolder: boolean) => string | undefined;

const leftOut = new Set(
  `node_modules bower_components jspm_packages vendor vendored third_party Pods Carthage site-packages venv virtualenv
  __pycache__ dist target coverage __snapshots__ DerivedData`.split(/\s+/),
);
/** Hidden folders with something to read. */
const shown = new Set([
  '.github',
  '.gitlab',
  '.circleci',
  '.ci',
  '.config',
  '.husky',
  '.claude',
  '.cursor',
  '.storybook',
]);
const lockFiles =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|composer\.lock|Gemfile\.lock|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|go\.sum|flake\.lock|deno\.lock|mix\.lock|Podfile\.lock|pubspec\.lock|packages\.lock\.json)$|\.min\.(?:js|css|mjs)$|\.(?:map|lock|snap)$|_pb2(?:_grpc)?\.py$|\.pb\.(?:go|cc|h)$|\.g\.dart$/;
const binaries =
  /\.(?:png|jpe?g|gif|webp|ico|icns|bmp|tiff?|avif|heic|psd|pdf|zip|gz|tgz|bz2|xz|zst|7z|rar|jar|war|class|so|dylib|dll|exe|o|a|lib|obj|wasm|bin|dat|db|sqlite3?|mp[34]|m4a|mov|avi|mkv|webm|ogg|wav|flac|ttf|otf|woff2?|eot|pyc|pyo|whl|parquet|onnx|pt|npy|npz|pkl|iso|dmg|node|pack|idx|mo|swf|docx?|xlsx?|pptx?)$/i;
/** Not for an index that others may read. */
const secrets = /^\.env(?:\.|$)|\.(?:pem|key|p12|pfx|keystore|jks)$|^id_(?:rsa|ed25519|ecdsa)/;

/** Their words are other files' words in many languages, or none: such files are known by their names. */
const wordless = /\.(?:po|pot|xlf|xliff|arb|svg|csv|tsv|ndjson|jsonl)$/i;

export function hasWords(path: string): boolean {
  return !wordless.test(path);
}

/** Files with further rules. */
export const ruleFiles = ['.gitignore', '.loreignore'];

export function createPathFilter({ include = [], exclude = [] }: PathFilterOptions): PathFilter {
  const isIncluded = include.length > 0 ? createMatch(include) : undefined;
  const isExcluded = createMatch(exclude);
  return (name, path, isFolder) => {
    if (exclude.length > 0 && isExcluded(path, isFolder)) return 'excluded';
    if (isFolder) {
      const isUsual = name.startsWith('.') ? !shown.has(name) : leftOut.has(name);
      // A folder that is named explicitly is included.
      return isUsual && !isIncluded?.(path, true) ? 'usual' : undefined;
    }
    if (isIncluded && !isIncluded(path, false)) return 'excluded';
    if (lockFiles.test(name)) return 'generated';
    if (binaries.test(name)) return 'binary';
    return secrets.test(name) ? 'secret' : undefined;
  };
}

/** A pattern matches the named path and everything in it. */
function createMatch(patterns: readonly string[]): (path: string, isFolder: boolean) => boolean {
  const rules = [parseRules(patterns.join('\n'), 0)];
  return (path, isFolder) => {
    const parts = path.split('/');
    return parts.some((_, at) => isIgnored(parts.slice(0, at + 1), isFolder || at < parts.length - 1, rules));
  };
}
