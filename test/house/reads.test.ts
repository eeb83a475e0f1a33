// Services and the graph open files and list folders only through src/files, so that links, pipes and the installation's own
// files are handled in one place.
import { expect, it } from 'vitest';
import { readSources } from '../support/source.ts';

/** Files that read something else than a project's files, and what that is. */
const exceptions: Record<string, string> = {
  'src/graph/git/external-folders.ts': 'names in the folders of git, to find links to other folders',
  'src/graph/share/guard/keys.ts': 'our own keys',
  'src/graph/share/remote.ts': 'our own repositories',
  'src/services/forge/source/store.ts': 'our own folder of API documents',
  'src/services/forge/surface/answers.ts': 'our own folder of stored answers',
  'src/services/forge/surface/pins.ts': 'our own folder of pinned tools',
  'src/services/forge/export/write.ts': 'the folder that the person named for an export',
  'src/services/gateway/life/crashes.ts': 'our own folder of mounts',
  'src/services/gateway/life/holder.ts': 'our own folder of mounts',
  'src/services/gateway/life/log-file.ts': 'our own folder of mounts',
  'src/services/gateway/life/orphans.ts': 'our own folder of mounts, and the environment of processes',
  'src/services/gateway/mount/store.ts': 'our own folder of mounts',
  'src/services/gateway/trust/package.ts': "npm's records of the package that a mounted command runs",
  'src/services/repo/clone/clone.ts': 'our own folder of clones',
  'src/services/repo/clone/clone-size.ts': 'our own folder of clones',
  'src/services/repo/clone/clones.ts': 'our own folder of clones',
  'src/services/system/eventlog/syslog-segment.ts': "the system's own logs, by fixed names",
  'src/services/system/privacy/known.ts': '/etc/passwd',
  'src/services/system/privacy/map.ts': 'our own table of pseudonyms',
};

const reads =
  /\b(?:promises|readFile|readFileSync|createReadStream|open|openSync|openAsBlob|readdir|readdirSync|opendir|opendirSync|cp|cpSync|copyFile|copyFileSync|readv|glob|globSync)\b/;

const importOfFs = /import\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'node:fs(?:\/promises)?'/g;
const wholeFs = /import\s+(?:\*\s+as\s+)?\w+\s+from\s+'node:fs(?:\/promises)?'|getBuiltinModule\('(?:node:)?fs/;
const lateFs = /import\('node:fs(?:\/promises)?'\)/;

function readsFiles(text: string): boolean {
  const named = [...text.matchAll(importOfFs)].some(([, names = '']) => reads.test(names.replace(/\btype \w+/g, '')));
  return named || wholeFs.test(text) || lateFs.test(text);
}

const sources = readSources(/^src\/(?:services|graph)\/.*\.ts$/).filter(({ path }) => !path.endsWith('.test.ts'));

it('services and the graph read files of a project through src/files', () => {
  const reading = sources.filter(({ text }) => readsFiles(text)).map(({ path }) => path);
  expect(reading.filter((path) => !(path in exceptions))).toEqual([]);
  // An exception that is needed no more is removed.
  expect(Object.keys(exceptions).filter((path) => !reading.includes(path))).toEqual([]);
});
