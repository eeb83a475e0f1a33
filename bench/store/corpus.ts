// Made-up project notes, the same in every run: words as unevenly spread as in real texts, some files and symbols to
// mention, and questions that take their words from a note.

const stems =
  `server client deploy cache token index memory graph search vector project branch merge commit config error timeout
  retry queue worker thread socket stream parser schema table column query transaction lock buffer encode compress hash
  sign verify render layout style theme button form input output file folder path link module package import export
  build bundle test mock fixture snapshot coverage lint format type generic union class method function closure promise
  event listener signal abort cancel resume start stop restart reload update upgrade rollback migrate backup restore
  archive database primary replica shard region latency budget alert metric trace span log level user session cookie
  header body route handler middleware proxy gateway balancer certificate secret permission role policy audit invoice
  payment order basket product catalogue price currency tax customer address mail template locale translation image
  video thumbnail upload download storage bucket object lifecycle retention quota limit throttle window counter`.split(
    /\s+/,
  );
const syllables = 'ba co du fe gi ho ju ka le mi no pu ra se ti vo wa xe yo zu'.split(' ');
const vocabularySize = 40_000;

export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const vocabulary = Array.from({ length: vocabularySize }, (_, rank) => {
  const stem = stems[rank];
  if (stem) return stem;
  let word = '';
  for (let rest = rank; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length];
  return word;
});

/** The n-th most frequent word about n times rarer than the first, as languages are. */
function pickWord(random: () => number): string {
  return vocabulary[Math.floor(vocabularySize ** random()) - 1] as string;
}

export function writeNote(random: () => number): string {
  const words = Array.from({ length: 12 + Math.floor(random() * 40) }, () => pickWord(random));
  const mention = random();
  if (mention < 0.3) words.push(`in src/${pickWord(random)}/${pickWord(random)}.ts`);
  else if (mention < 0.5) words.push(`by ${pickWord(random)}_${pickWord(random)}()`);
  return `${words.join(' ')}.`;
}

/** Three to six words of a note that is there. */
export function writeQuestion(random: () => number): string {
  const words = writeNote(random)
    .replace(/[./()]/g, ' ')
    .split(/\s+/)
    .filter(Boolean);
  return Array.from({ length: 3 + Math.floor(random() * 4) }, () => words[Math.floor(random() * words.length)]).join(
    ' ',
  );
}
