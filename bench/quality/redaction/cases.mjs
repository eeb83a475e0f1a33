// Reads the case files of one part and fills their slots: a text each, with the places of its secrets.
import { readFileSync } from 'node:fs';
import { createChance } from './chance.mjs';
import { forms } from './forms.mjs';
import { lookalikes } from './lookalikes.mjs';

/** @typedef {{ start: number, end: number, rule: string }} Place */
/** @typedef {'base' | 'leaks' | 'prose'} Group */
/** @typedef {{ origin: string, group: Group, text: string, labels: Place[] }} Case */
/** @typedef {{ origin: string, group: Group, line: string }} Line */

/** How many surroundings each secret that is known by its form is put into. */
const turnsOfSecrets = { tune: 2, held: 3, fresh: 3, last: 3 };
const turnsOfLookalikes = 4;
const spreadLookalikes =
  'hex7 hex32 hex40 hex64 hex128 uuid ulid nano digits sha256b64 sha512b64 png jpeg eth ipfs goSum exes stars'.split(
    ' ',
  );

/** @param {'tune' | 'held' | 'fresh' | 'last'} part @returns {Case[]} */
export function readCases(part) {
  const secretPlaces = readLines(part, 'surroundings');
  const plainPlaces = readLines(part, 'plain-surroundings');
  const bare = Object.keys(forms).filter((name) => forms[name]?.bare && !forms[name]?.leak);
  const leaks = Object.keys(forms).filter((name) => forms[name]?.leak);
  return [
    ...readLines(part, 'secrets'),
    ...spread(bare, secretPlaces, turnsOfSecrets[part], ''),
    ...spread(leaks, secretPlaces, turnsOfSecrets[part], '', 'leaks'),
    ...readLines(part, 'leaks', 'leaks'),
    ...readLines(part, 'prose', 'prose'),
    ...readLines(part, 'harmless'),
    ...spread(spreadLookalikes, plainPlaces, turnsOfLookalikes, '~'),
  ].map(({ origin, group, line }) => ({ group, ...fillSlots(`${part}/${origin}`, line) }));
}

/** @param {string} part @param {string} name @param {Group} group @returns {Line[]} */
function readLines(part, name, group = 'base') {
  const text = readFileSync(new URL(`./${part}/${name}.txt`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .map((line, index) => ({ origin: `${name}:${index + 1}`, group, line: line.replaceAll('⏎', '\n') }))
    .filter(({ line }) => line !== '' && !line.startsWith('%%'));
}

/**
 * @param {string[]} names @param {Line[]} places @param {number} turns @param {string} sign @param {Group} group
 * @returns {Line[]}
 */
function spread(names, places, turns, sign, group = 'base') {
  return names.flatMap((name, index) =>
    Array.from({ length: turns }, (_, turn) => {
      const place = /** @type {Line} */ (places[(index * turns + turn) % places.length]);
      return { origin: `${place.origin}:${name}`, group, line: place.line.replace('‹S›', `‹${sign}${name}›`) };
    }),
  );
}

/** @param {string} origin @param {string} line @returns {Omit<Case, 'group'>} */
function fillSlots(origin, line) {
  let text = '';
  let from = 0;
  /** @type {Place[]} */
  const labels = [];
  for (const slot of line.matchAll(/‹(?:=([^›]+)|(~?)(\w+))›/g)) {
    const [whole, literal, sign, name = ''] = slot;
    const chance = createChance(`${origin}@${slot.index}`);
    text += line.slice(from, slot.index);
    from = slot.index + whole.length;
    if (sign) text += need(lookalikes[name], origin, name)(chance);
    else {
      const form = literal ? { rule: 'secret', make: () => literal } : need(forms[name], origin, name);
      const secret = form.make(chance);
      labels.push({ start: text.length, end: text.length + secret.length, rule: form.rule });
      text += secret;
    }
  }
  return { origin, text: text + line.slice(from), labels };
}

/** @template T @param {T | undefined} value @param {string} origin @param {string} name @returns {T} */
function need(value, origin, name) {
  if (value === undefined) throw new Error(`Cannot fill ${origin}: there is nothing called "${name}"`);
  return value;
}
