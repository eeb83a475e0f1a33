// Detects text that only repeats an instruction file or a result of recall. It compares runs of five words, so that layout and
// emphasis do not matter; a new number or name makes it different.

interface EchoIndex {
  /** Whether the text says nothing that the sources do not say. */
  covers(text: string): boolean;
}

const runLength = 5;
/** How much of a text must be found in the sources. */
const share = 0.85;
/** A text of fewer words is an echo only when it is found as a whole. */
const shortest = 4;
/** Words that can be added, omitted or changed without changing the meaning. */
const light = new Set(
  `a an the this that these those is are was were be been being it its we our you your i my they their and or so also
  please just now then there here to of in on at for with by as from note remember keep mind says say said according
  file project repo repository`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

export function createEchoIndex(sources: readonly string[]): EchoIndex {
  const runs = new Set<string>();
  const words = new Set<string>();
  // Short texts are compared whole, each with each sentence-like line of the sources.
  const lines = new Set<string>();
  for (const source of sources) {
    for (const line of source.split(/[\n.!?;:]+/)) {
      const list = wordsOf(line);
      if (list.length > 0 && list.length <= runLength) lines.add(list.join(' '));
    }
    const list = wordsOf(source);
    for (const word of list) words.add(word);
    for (let i = 0; i + runLength <= list.length; i++) runs.add(list.slice(i, i + runLength).join(' '));
  }
  return { covers: (text) => isCovered(wordsOf(text), runs, words, lines) };
}

function isCovered(list: string[], runs: Set<string>, words: Set<string>, lines: Set<string>): boolean {
  if (list.length === 0) return false;
  if (list.length < runLength) return list.length >= shortest - 2 && lines.has(list.join(' '));
  // A word that is not in the sources is new information.
  if (list.some((word) => !words.has(word) && !light.has(word))) return false;
  const covered = new Uint8Array(list.length);
  for (let i = 0; i + runLength <= list.length; i++) {
    if (runs.has(list.slice(i, i + runLength).join(' '))) covered.fill(1, i, i + runLength);
  }
  let found = 0;
  for (let i = 0; i < list.length; i++) {
    if (covered[i] === 1) found++;
    // A heavy word in another place may turn the meaning: "not", a number, another name.
    else if (isTelling(list[i] as string)) return false;
  }
  return found / list.length >= share;
}

/** Words that change the meaning when they move. */
function isTelling(word: string): boolean {
  return (
    /\d/.test(word) || /^(?:not|no|never|without|except|unless|instead|only|longer|don't|cannot|can't)$/.test(word)
  );
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[‘’]/g, "'")
      .match(/[\p{L}\p{N}](?:[\p{L}\p{N}_]|['./@:-](?=[\p{L}\p{N}]))*/gu) ?? []
  );
}
