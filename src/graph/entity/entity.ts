// The things a text speaks of: files, symbols, packages, errors, addresses. Precision comes before
// recall: a wrong entity ties strangers together in the graph for good, a missing one only leaves a tie to the search.
import { type Entity, EntityDraft, type EntityKind } from './draft.ts';
import { findErrors } from './error.ts';
import { findFiles } from './file.ts';
import { findPackages } from './package.ts';
import { findSymbols } from './symbol.ts';
import { findTicked } from './tick.ts';
import { findUrls } from './url.ts';

export type { Entity, EntityKind } from './draft.ts';

export const maxEntities = 64;
/** No kind crowds out the others: a long trace is full of files, and the one error in it matters more. */
const maxOfKind = 24;

/** What narrows a search most comes first. */
const bySpecificity: readonly EntityKind[] = ['error', 'file', 'url', 'symbol', 'package'];

const finders = [findUrls, findPackages, findFiles, findErrors, findTicked, findSymbols];

/** Every file that a text names, in the order they appear. */
export function extractFiles(text: string): string[] {
  const draft = new EntityDraft(text);
  for (const find of [findUrls, findFiles]) {
    find(draft);
    draft.settle();
  }
  return draft.found('file').map(({ name }) => name);
}

/** At most `maxEntities`, each once, by kind and then as they appear. Takes time linear in the text and never throws. */
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
