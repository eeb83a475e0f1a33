// Words of German, French, Spanish and Portuguese: one rough stemmer for all four, because the language of a short text is
// uncertain, and the parts of compounds, by the words of the embedding table.

const shortest = { compound: 8, left: 3, right: 4 };
/** Of a part that the table does not know, beside one that it knows. */
const shortestUnknown = { left: 4, right: 5 };
const longest = 40;
const endings = /(?:e?s|e?n|e)$/;
/** Sounds between the parts of a German compound. */
const joints = /(?:e?s|e?n)$/;
const cached = 20_000;
const cache = new Map<string, readonly string[]>();

/** The stems of a folded word and of its parts. `isKnown` must be the same in every call. */
export function splitLatin(word: string, isKnown: (word: string) => boolean): readonly string[] {
  const known = cache.get(word);
  if (known) return known;
  const stems = [...new Set([word, ...findParts(word, isKnown)].map(stem))];
  if (cache.size >= cached) cache.clear();
  if (word.length <= longest) cache.set(word, stems);
  return stems;
}

function stem(word: string): string {
  if (word.length < 5) return word;
  const bare = word.replace(/(?:[sn]|er)$/, '');
  return bare.length < 5 ? bare : bare.replace(/[aeo]$/, '');
}

/** All parts of all levels. A word that the table knows is not a compound. */
function findParts(word: string, isKnown: (word: string) => boolean): string[] {
  if (word.length < shortest.compound || word.length > longest) return [];
  const isWord = (part: string) =>
    isKnown(part) || (part.length > shortest.right && isKnown(part.replace(endings, '')));
  if (isWord(word)) return [];
  let best: { parts: [string, string]; worth: number } | undefined;
  for (let cut = shortest.left; cut <= word.length - shortest.right; cut++) {
    const [left, right] = [word.slice(0, cut), word.slice(cut)];
    if (!isWord(right)) continue;
    const first = [left, left.replace(joints, '')].find((part) => part.length >= shortest.left && isWord(part));
    const isLong = left.length >= shortestUnknown.left && right.length >= shortestUnknown.right;
    // Two known words first, of those the most even; else the longest known word.
    const worth = first ? longest + Math.min(left.length, right.length) : isLong ? right.length : 0;
    if (worth > (best?.worth ?? 0)) best = { parts: [first ?? left, right], worth };
  }
  return best?.parts.flatMap((part) => [part, ...findParts(part, isKnown)]) ?? [];
}
