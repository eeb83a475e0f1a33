// Finds the passage of a text with the most words of a query.

/** Positions of each word that are considered. */
const maxPlaces = 50;
const maxWords = 32;
/** Characters before the first of the words, for its context. */
const lead = 60;

export function findPassage(text: string, query: string, length: number): number {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [])].slice(0, maxWords);
  const low = text.toLowerCase();
  const places = words.flatMap((word, index) => findAll(low, word).map((at) => ({ at, index })));
  places.sort((a, b) => a.at - b.at);
  const before = Math.min(lead, Math.floor(length / 4));
  const counts = new Map<number, number>();
  let best = { at: 0, count: 0 };
  let first = 0;
  for (const { at, index } of places) {
    counts.set(index, (counts.get(index) ?? 0) + 1);
    for (let place = places[first]; place && place.at + length - before <= at; place = places[++first]) {
      const left = (counts.get(place.index) as number) - 1;
      if (left === 0) counts.delete(place.index);
      else counts.set(place.index, left);
    }
    if (counts.size > best.count) best = { at: places[first]?.at as number, count: counts.size };
  }
  return beginWord(text, Math.max(0, best.at - before));
}

function findAll(low: string, word: string): number[] {
  const places: number[] = [];
  for (let at = low.indexOf(word); at >= 0 && places.length < maxPlaces; at = low.indexOf(word, at + word.length)) {
    places.push(at);
  }
  return places;
}

/** A text without spaces can be cut anywhere except inside a character. */
function beginWord(text: string, at: number): number {
  const from = Math.max(0, at - lead);
  const space = text.slice(from, at).search(/\S*$/);
  const begin = from > 0 && space === 0 ? at : from + space;
  return /[\udc00-\udfff]/.test(text[begin] ?? '') ? begin - 1 : begin;
}
