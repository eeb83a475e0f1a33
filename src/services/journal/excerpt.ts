// The passage of a text that answers a query best, to be shown beside a hit: the one with the most of the query's words.

const step = 120;

export function excerpt(text: string, query: string, length = 300): string {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [])].slice(0, 32);
  const low = text.toLowerCase();
  const places = words.flatMap((word, index) => findAll(low, word).map((at) => ({ at, index })));
  let best = { at: 0, count: 0 };
  for (let at = 0; at < Math.max(1, text.length - length + step); at += step) {
    const inside = places.filter((place) => place.at >= at && place.at < at + length);
    const count = new Set(inside.map(({ index }) => index)).size;
    if (count > best.count) best = { at, count };
  }
  return cutAround(text, best.at, length);
}

/** So many of each are enough to find where words stand together. */
const mostPlaces = 50;

function findAll(low: string, word: string): number[] {
  const places: number[] = [];
  for (let at = low.indexOf(word); at >= 0 && places.length < mostPlaces; at = low.indexOf(word, at + word.length)) {
    places.push(at);
  }
  return places;
}

/** From one word's beginning to another's end, on one line. */
function cutAround(text: string, at: number, length: number): string {
  const begin = at === 0 ? 0 : text.slice(0, at).search(/\S*$/);
  const rest = text.slice(begin, begin + length).replace(/[\ud800-\udbff]$/, '');
  const isWhole = begin + length >= text.length;
  const shown = isWhole ? rest : rest.replace(/\s\S*$/, '');
  return `${begin > 0 ? '… ' : ''}${shown.replace(/\s+/g, ' ').trim()}${isWhole ? '' : ' …'}`;
}
