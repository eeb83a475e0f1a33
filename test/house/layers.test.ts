// Which folder may import which, third-party packages included. A change here is a change of the architecture.
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, readSources } from '../support/source.ts';

/** What each layer stands on, besides itself. Files directly in src/ are layers of their own. */
const layers: Record<string, { own: string[]; packages: string[] }> = {
  core: { own: [], packages: ['ajv'] },
  config: { own: ['agents', 'core'], packages: [] },
  files: { own: ['core'], packages: [] },
  store: { own: ['core'], packages: ['@photostructure/sqlite', 'postgres'] },
  search: { own: ['core', 'store'], packages: ['stemmer'] },
  graph: { own: ['core', 'files', 'search', 'store'], packages: [] },
  services: { own: ['client', 'core', 'files', 'graph'], packages: ['web-tree-sitter', 'yaml'] },
  protocol: { own: ['core'], packages: [] },
  client: { own: ['core', 'protocol'], packages: [] },
  agents: { own: ['core', 'files'], packages: [] },
  'app.ts': { own: ['config', 'core', 'files', 'graph', 'protocol', 'services', 'store'], packages: [] },
  transport: { own: ['app.ts', 'config', 'core', 'protocol'], packages: ['jose', 'ws'] },
  cli: {
    own: ['agents', 'app.ts', 'client', 'config', 'core', 'graph', 'protocol', 'services', 'store', 'transport'],
    packages: [],
  },
  // It runs in browsers, and knows the rest by the results of tools alone.
  web: { own: [], packages: ['@preact/signals', 'preact'] },
  'standalone.ts': { own: ['core', 'protocol', 'services', 'transport'], packages: [] },
  'index.ts': { own: ['app.ts', 'config', 'core', 'graph', 'store', 'transport'], packages: [] },
};

const sources = readSources(/^src\/.*\.tsx?$/).filter(({ path }) => !path.endsWith('.test.ts'));

function layerOf(path: string): string {
  return path.split('/')[1] as string;
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

describe('layers', () => {
  it('name every folder of src', () => {
    expect([...new Set(sources.map(({ path }) => layerOf(path)))].sort()).toEqual(Object.keys(layers).sort());
  });

  it('import only the layers and packages they stand on', () => {
    const refused = sources.flatMap((source) =>
      importsOf(source)
        .filter((specifier) => !isAllowed(source.path, specifier))
        .map((specifier) => `${source.path} imports ${specifier}`),
    );
    expect(refused).toEqual([]);
  });

  it('read all ids of a project, not its own alone', () => {
    const alone = /\[(?:scope\.)?project\.id\b|\.project [!=]== (?:scope\.)?project\.id\b/;
    const refused = sources.flatMap(({ path, text }) =>
      /^src\/(?:services|cli)\//.test(path) && alone.test(text) ? [`${path} should use scope.projects`] : [],
    );
    expect(refused).toEqual([]);
  });

  it('let only the grant turn a path that somebody names into a folder to work in', () => {
    const makes = /\bopenFolder\(|\bopenHomeless\(|\bresolvePlace\(|\{ \.\.\.[\w.]*[Cc]aller, (?:folder|top)\b/;
    const may = ['grant', 'scope', 'resolve', 'admin'].map((name) => `src/graph/project/${name}.ts`);
    const refused = sources.flatMap(({ path, text }) =>
      makes.test(text) && !may.includes(path) ? [`${path} should ask graph/project/grant.ts`] : [],
    );
    expect(refused).toEqual([]);
  });

  it('keep services apart', () => {
    const refused = sources.flatMap((source) => {
      const own = /^src\/services\/[^/]+\//.exec(source.path)?.[0];
      if (own === undefined) return [];
      return importsOf(source)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => posix.join(posix.dirname(source.path), specifier))
        .filter((target) => target.startsWith('src/services/') && !target.startsWith(own))
        .map((target) => `${source.path} imports ${target}`);
    });
    expect(refused).toEqual([]);
  });
});

function isAllowed(path: string, specifier: string): boolean {
  if (specifier.startsWith('node:') || specifier.endsWith('package.json')) return true;
  const layer = layerOf(path);
  if (!specifier.startsWith('.')) return layers[layer]?.packages.includes(packageOf(specifier)) ?? false;
  const target = layerOf(posix.join(posix.dirname(path), specifier));
  return target === layer || (layers[layer]?.own.includes(target) ?? false);
}
