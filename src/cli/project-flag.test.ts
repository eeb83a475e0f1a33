// Where `--project` may be, and which commands take it themselves.
import { afterEach, expect, it } from 'vitest';
import { takeProject } from './project-flag.ts';

const before = process.env.LORE_PROJECT;
afterEach(() => {
  if (before === undefined) delete process.env.LORE_PROJECT;
  else process.env.LORE_PROJECT = before;
});

it.each<[string, rest: string, project: string | undefined]>([
  ['remember x', 'remember x', undefined],
  ['--project shop remember x', 'remember x', 'shop'],
  ['remember x --project=shop --json', 'remember x --json', 'shop'],
  ['--project shop', '', 'shop'],
  ['stdio --project ~/a --project ~/b', 'stdio', '~/b'],
  ['remember -- --project shop', 'remember -- --project shop', undefined],
  ['remember --project', 'remember --project', undefined],
  ['recall x --project all -- y', 'recall x --project=all -- y', undefined],
  ['--project shop recall x', 'recall x --project=shop', undefined],
  ['skill search --project shop x', 'skill search x --project=shop', undefined],
  ['recall x --project ./shop', 'recall x', './shop'],
  ['recalls x --project shop', 'recalls x', 'shop'],
])('%s', (given, rest, project) => {
  delete process.env.LORE_PROJECT;
  expect(takeProject(given.split(' ')).join(' ')).toBe(rest);
  expect(process.env.LORE_PROJECT).toBe(project);
});
