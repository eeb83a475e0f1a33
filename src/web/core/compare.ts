// The difference between two texts, word by word, as the pieces that they share and those that one of them has.

export interface TextPiece {
  text: string;
  change: 'same' | 'added' | 'removed';
}

/** Longer texts are compared line by line, and not at all beyond that. */
const mostPieces = 1_500;

export function compare(before: string, after: string): TextPiece[] {
  const split = (pattern: RegExp) => [before.split(pattern), after.split(pattern)] as const;
  const words = split(/(?<=\s)/);
  const [a, b] = Math.max(words[0].length, words[1].length) <= mostPieces ? words : split(/(?<=\n)/);
  if (Math.max(a.length, b.length) > mostPieces) {
    return [
      { text: before, change: 'removed' },
      { text: after, change: 'added' },
    ];
  }
  // The longest common subsequence, from the end.
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? (lengths[(i + 1) * width + j + 1] as number) + 1
          : Math.max(lengths[(i + 1) * width + j] as number, lengths[i * width + j + 1] as number);
    }
  }
  const pieces: TextPiece[] = [];
  const put = (text: string | undefined, change: TextPiece['change']) => {
    const last = pieces.at(-1);
    if (last?.change === change) last.text += text;
    else pieces.push({ text: text ?? '', change });
  };
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      put(a[i++], 'same');
      j++;
    } else if (
      j >= b.length ||
      (i < a.length && (lengths[(i + 1) * width + j] as number) >= (lengths[i * width + j + 1] as number))
    ) {
      put(a[i++], 'removed');
    } else put(b[j++], 'added');
  }
  return pieces;
}
