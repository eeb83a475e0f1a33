// Reveals a pseudonym to a person at a terminal; no tool can do this.
import { LoreError } from '../../../core/error.ts';
import { showHidden } from '../../../core/text/fence.ts';
import { readKey } from './key.ts';
import { openMap } from './map.ts';
import { locatePrivacy } from './place.ts';

export async function revealPseudonym(database: string, pseudonym: string): Promise<string[]> {
  const place = locatePrivacy(database);
  const key = await readKey(place.key);
  const values = key === undefined ? [] : await openMap(place.map, key).find(pseudonym);
  if (values.length > 0) return values.map(showHidden);
  const state = key === undefined ? 'no pseudonyms exist yet' : 'it is unknown here';
  throw new LoreError('not_found', `Cannot reveal "${pseudonym}": ${state}`, {
    hint: 'Pseudonyms can be revealed only with the database and on the machine where they were created.',
  });
}
