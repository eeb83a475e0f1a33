// Plain BM25 (k1 1.2, b .75; lower-cased words, no stemming), to show what words alone find on the same pairs.

export function rankByWords(query: string, documents: readonly string[]): number[] {
  const lists = documents.map(readWords);
  const mean = lists.reduce((sum, list) => sum + list.length, 0) / lists.length;
  return documents.map((_, index) => {
    const list = lists[index] as string[];
    let score = 0;
    for (const word of new Set(readWords(query))) {
      const having = lists.filter((other) => other.includes(word)).length;
      const count = list.filter((other) => other === word).length;
      if (count === 0) continue;
      const rarity = Math.log(1 + (lists.length - having + 0.5) / (having + 0.5));
      score += (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * list.length) / mean));
    }
    return score;
  });
}

function readWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
