// Which folder may import which, third-party packages included. A change here is a change of the architecture.
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, readSources } from '../support/source.ts';

/** What each layer stands on, besides itself. Files directly in src/ are layers of their own. */
const layers: Record<string, { own: string[]; packages: string[] }> = {
  core: { own: [], packages: ['ajv'] },
  config: { own: ['core'], packages: [] },
  store: { own: ['core'], packages: ['@photostructure/sqlite', 'postgres'] },
  search: { own: ['core', 'store'], packages: ['stemmer'] },
  graph: { own: ['core', 'search', 'store'], packages: [] },
  services: { own: ['core', 'graph'], packages: ['web-tree-sitter', 'yaml'] },
  protocol: { own: ['core'], packages: [] },
  agents: { own: ['core'], packages: [] },
  'app.ts': { own: ['config', 'core', 'graph', 'protocol', 'services', 'store'], packages: [] },
  transport: { own: ['app.ts', 'config', 'core', 'protocol'], packages: [] },
  cli: {
    own: ['agents', 'app.ts', 'config', 'core', 'graph', 'protocol', 'services', 'store', 'transport'],
    packages: [],
  },
  'index.ts': { own: ['app.ts', 'config', 'core', 'transport'], packages: [] },
};

const sources = readSources(/^src\/.*\.ts$/).filter(({ path }) => !path.endsWith('.test.ts'));

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
  it('knows every folder of src', () => {
    expect([...new Set(sources.map(({ path }) => layerOf(path)))].sort()).toEqual(Object.keys(layers).sort());
  });

  it.each(sources)('$path imports only what its layer stands on', (source) => {
    const layer = layerOf(source.path);
    const allowed = layers[layer];
    for (const specifier of importsOf(source)) {
      if (specifier.startsWith('node:') || specifier.endsWith('package.json')) continue;
      if (!specifier.startsWith('.')) {
        expect(allowed?.packages, `${source.path} imports ${specifier}`).toContain(packageOf(specifier));
        continue;
      }
      const target = posix.join(posix.dirname(source.path), specifier);
      if (layerOf(target) !== layer)
        expect(allowed?.own, `${source.path} imports ${target}`).toContain(layerOf(target));
    }
  });

  it.each(sources.filter(({ path }) => /^src\/services\/[^/]+\//.test(path)))(
    '$path knows no other service',
    (source) => {
      const own = source.path.split('/').slice(0, 3).join('/');
      for (const specifier of importsOf(source).filter((name) => name.startsWith('.'))) {
        const target = posix.join(posix.dirname(source.path), specifier);
        if (target.startsWith('src/services/')) expect(target.startsWith(`${own}/`), target).toBe(true);
      }
    },
  );
});
