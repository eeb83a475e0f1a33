// Orders the files of a commit by how much they say about it: code, then tests, then documents and settings, then
// generated files.

const generated =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|dist|vendor|node_modules|__snapshots__)(?:\/|$)|\.(?:snap|map|lock)$|\.min\.\w+$/;
const words =
  /\.(?:md|mdx|txt|rst|adoc|json|jsonc|ya?ml|toml|ini|cfg|conf|env|xml|svg|png|jpe?g|gif|csv)$|(?:^|\/)\.[^/]+$|(?:^|\/)[A-Z]+$/;
const tests =
  /(?:^|\/)(?:tests?|__tests__|spec|specs|fixtures?|examples?|bench(?:marks?)?|docs?)\/|[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_/;

export function isGenerated(file: string): boolean {
  return generated.test(file);
}

/** The most significant first, otherwise in the given order. */
export function rankFiles(files: readonly string[]): string[] {
  return [...files].sort((a, b) => rank(a) - rank(b));
}

function rank(file: string): number {
  if (isGenerated(file)) return 3;
  if (words.test(file)) return 2;
  return tests.test(file) ? 1 : 0;
}
