// Selects the files that a query about the code can mean: sources, and which of them are tests. In Python a folder `test` is
// often part of the product; tests have names that show it.

const testFolder =
  /(?:^|\/)(?:tests|__tests__|specs?|fixtures?|testdata|test_data|e2e|testsuite|unit_?tests?)\/|^(?:test|testing)\//;
const testFolderBeside = /(?:^|\/)test\//;
const testName =
  /(?:^|\/)(?:test_[^/]*|conftest|tests?|[^/]*[._-](?:tests?|spec|unittest)|[^/]*[a-z]Tests?|Test[A-Z][^/]*)\.\w+$/;
const sourceName =
  /\.(?:py|pyi|pyx|[cm]?[jt]sx?|vue|svelte|go|rs|java|kt|kts|scala|cs|php|swift|groovy|c|h|cc|cpp|cxx|hpp|hh|m|mm|y|inc|rb|rake|sh|bash|ex|exs|erl|hs|ml|lua|pl|pm|dart|jl|r|zig|sql)$/i;

export function isSource(path: string): boolean {
  return sourceName.test(path);
}

export function isTest(path: string): boolean {
  if (testFolder.test(path) || testName.test(path)) return true;
  return !path.endsWith('.py') && testFolderBeside.test(path);
}
