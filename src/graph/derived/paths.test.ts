// The cache of a tree's paths notices every file that comes or goes.
import { expect, it } from 'vitest';
import { openSqlite } from '../../store/sqlite/sqlite.ts';
import { openGraphOn } from '../open.ts';
import { removeDerived, replaceDerived } from './derived.ts';
import { withPaths } from './paths.ts';

it('derived paths: a renamed file is known by its new name at once, and other writes keep the cache', async () => {
  const opened = await openGraphOn(await openSqlite(':memory:'));
  const deriving = { store: opened.store, project: 'tree', model: '', now: Date.now() };
  const fileOf = (path: string) => ({
    id: `f_${path}`,
    path,
    language: '',
    family: '',
    vectors: undefined,
    terms: new Uint32Array(),
    words: '',
    size: 1,
    modified: 1,
    hash: path,
    nodes: [],
    links: '[]',
  });
  let made = 0;
  const read = () =>
    withPaths(opened, 'tree', (paths) => {
      made++;
      return [...paths];
    });
  await replaceDerived(deriving, ['a', 'm', 'z'].map(fileOf));
  expect(await read()).toEqual(['a', 'm', 'z']);
  await removeDerived(deriving, ['f_m']);
  await replaceDerived(deriving, [fileOf('n')]);
  expect(await read()).toEqual(['a', 'n', 'z']);
  await replaceDerived(deriving, [{ ...fileOf('n'), hash: 'changed' }]);
  await opened.graph.put([{ project: 'p', kind: 'memory', text: 'something else' }], 'test');
  await read();
  expect(made).toBe(2);
  await opened.close();
});
