// Finds entities in a text: files, symbols, packages, errors, URLs. Precision comes before recall: a wrong entity links
// unrelated nodes permanently, while search makes up for a missing one.
import { type Entity, EntityDraft, type EntityKind } from './draft.ts';
import { findErrors } from './error.ts';
import { findFiles } from './file.ts';
import { findPackages } from './package.ts';
import { findSymbols } from './symbol.ts';
import { findTicked } from './tick.ts';
import { findUrls } from './url.ts';

export type { Entity, EntityKind } from './draft.ts';

export const maxEntities = 64;
/** Limit per kind: a long trace is full of files, and its one error matters more. */
const maxOfKind = 24;

/** Most selective kinds first. */
const bySpecificity: readonly EntityKind[] = ['error', 'file', 'url', 'symbol', 'package'];

const finders = [findUrls, findPackages, findFiles, findErrors, findTicked, findSymbols];

/** Every file that a text names, in order. */
export function extractFiles(text: string): string[] {
  const draft = new EntityDraft(text);
  for (const find of [findUrls, findFiles]) {
    find(draft);
    draft.settle();
  }
  return draft.found('file').map(({ name }) => name);
}

/** At most `maxEntities` distinct entities, by kind, then by position. Takes linear time and never throws. */
export function extractEntities(text: string): Entity[] {
  const draft = new EntityDraft(text);
  for (const find of finders) {
    find(draft);
    draft.settle();
  }
  return bySpecificity
    .flatMap((kind) => draft.found(kind).slice(0, maxOfKind))
    .slice(0, maxEntities)
    .map(({ kind, name, text }) => ({ kind, name, text }));
}
