// Counts the terms of documents that share words, such as a file and its symbols. Terms are numbers here: counting in arrays is
// several times as fast as in a map by term.
import { splitCompound, visitCompounds } from './analyze.ts';
import { type PackedTerms, packTerm } from './document.ts';

export interface TermCounter {
  /** Counts the terms of a text for the current document, and returns their number. */
  add(text: string, weight?: number): number;
  /** Counts the current document's terms for the last document, too. */
  share(): void;
  /** Counts the shared terms for the current document. */
  addShared(): void;
  /** Ends the current document. Its terms are places in the list of `words`; `sum` is the same for the same terms. */
  take(): { packed: Uint32Array; sum: string };
  /** The list of terms since the last call. */
  words(): PackedTerms['words'];
}

/** Compounds whose terms are cached; cleared when it is full. */
const mostCompounds = 40_000;

export function createTermCounter(): TermCounter {
  /** The terms of each compound, by their ids. */
  const compounds = new Map<string, readonly number[]>();
  const ids = new Map<string, number>();
  let terms: string[] = [];
  let hashes: { first: number[]; second: number[] } = { first: [], second: [] };
  const current = createTally();
  const shared = createTally();
  /** For each id, its place in the list of words, plus one. */
  let places: Uint32Array = new Uint32Array(1 << 12);
  let listed: number[] = [];

  function idOf(term: string): number {
    const known = ids.get(term);
    if (known !== undefined) return known;
    ids.set(term, terms.length);
    hashes.first.push(hashTerm(term, 0x811c9dc5));
    hashes.second.push(hashTerm(term, 0x5bd1e995));
    return terms.push(term) - 1;
  }

  function idsOf(compound: string): readonly number[] {
    const known = compounds.get(compound);
    if (known) return known;
    // A copy, because a substring keeps the whole text in memory.
    const own = ` ${compound}`.slice(1);
    const found = splitCompound(own).map(idOf);
    compounds.set(own, found);
    return found;
  }

  return {
    add(text, weight = 1) {
      let length = 0;
      visitCompounds(text, (compound) => {
        const found = idsOf(compound);
        for (const id of found) current.add(id, weight);
        length += found.length;
      });
      return length;
    },
    share: () => current.visit((id, count) => shared.add(id, count)),
    addShared: () => shared.take((id, count) => current.add(id, count)),
    take() {
      if (places.length < terms.length) places = widen(places, terms.length);
      const packed = new Uint32Array(current.size);
      let [at, first, second] = [0, 0, 0];
      current.take((id, count) => {
        if (places[id] === 0) places[id] = listed.push(id);
        packed[at++] = packTerm((places[id] as number) - 1, count);
        // The order of terms depends on earlier documents, so each is hashed alone.
        first = (first + Math.imul((hashes.first[id] as number) ^ count, 0x9e3779b1)) | 0;
        second = (second + Math.imul((hashes.second[id] as number) ^ count, 0x85ebca6b)) | 0;
      });
      return { packed, sum: `${first} ${second}` };
    },
    words() {
      const words = listed.map((id) => terms[id] as string);
      for (const id of listed) places[id] = 0;
      listed = [];
      if (compounds.size > mostCompounds) {
        compounds.clear();
        ids.clear();
        terms = [];
        hashes = { first: [], second: [] };
      }
      return words;
    },
  };
}

/** Counts by id. */
function createTally() {
  let counts: Uint32Array = new Uint32Array(1 << 12);
  let counted: number[] = [];
  return {
    get size() {
      return counted.length;
    },
    add(id: number, count: number): void {
      if (id >= counts.length) counts = widen(counts, id + 1);
      if (counts[id] === 0) counted.push(id);
      counts[id] = (counts[id] as number) + count;
    },
    visit(visit: (id: number, count: number) => void): void {
      for (const id of counted) visit(id, counts[id] as number);
    },
    /** Visits all and clears them. */
    take(visit: (id: number, count: number) => void): void {
      const all = counted;
      counted = [];
      for (const id of all) {
        const count = counts[id] as number;
        counts[id] = 0;
        visit(id, count);
      }
    },
  };
}

/** FNV-1a. */
function hashTerm(term: string, seed: number): number {
  let hash = seed | 0;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  return hash;
}

function widen(array: Uint32Array, least: number): Uint32Array {
  const wider = new Uint32Array(Math.max(least, array.length * 2));
  wider.set(array);
  return wider;
}
