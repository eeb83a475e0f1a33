// Step 5. Scores the written table on the pairs, beside words alone and the teacher, through the code the product runs. A
// query is ranked against the documents of both parts. `held` as an argument adds the held-out part: for publishing only.
import { createStaticEmbedder, measureCosine } from '../../src/search/embed.ts';
import { rankByWords } from './bm25.ts';
import { heldPairs } from './pairs-held.ts';
import { tunePairs } from './pairs-tune.ts';
import { openTeacher } from './teacher.ts';

type Score = (queries: readonly string[]) => Promise<ArrayLike<number>[]>;

const [part = 'tune', path] = process.argv.slice(2);
const documents = [...tunePairs, ...heldPairs].map(([, document]) => document);
const parts = part === 'held' ? { tune: tunePairs, held: heldPairs } : { tune: tunePairs };
const teacher = await openTeacher();
const embedder = createStaticEmbedder(path);

const methods: Record<string, Score> = {
  bm25: async (queries) => queries.map((query) => rankByWords(query, documents)),
  table: async (queries) => {
    const known = embedder.embed(documents);
    return embedder.embed(queries).map((query) => known.map((document) => measureCosine(query, document)));
  },
  teacher: async (queries) => {
    const known = await teacher.embed(documents);
    return (await teacher.embed(queries)).map((query) =>
      known.map((document) => document.reduce((sum, value, k) => sum + value * (query[k] as number), 0)),
    );
  },
};

process.stderr.write(`${embedder.id}\n`);
for (const [name, pairs] of Object.entries(parts)) {
  for (const [method, score] of Object.entries(methods)) {
    const scores = await score(pairs.map(([query]) => query));
    const ranks = scores.map((row, index) =>
      findRank(row, documents.indexOf((pairs[index] as readonly string[])[1] as string)),
    );
    const within = (limit: number) => ranks.filter((rank) => rank <= limit).length;
    const mean = ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length;
    process.stdout.write(
      `${name} ${method}: MRR ${mean.toFixed(3)}, first ${within(1)}, in five ${within(5)}, in ten ${within(10)} of ${ranks.length}\n`,
    );
  }
}

/** Ties count against the method: a score of nothing finds nothing. */
function findRank(scores: ArrayLike<number>, gold: number): number {
  let rank = 1;
  for (let at = 0; at < scores.length; at++)
    if (at !== gold && (scores[at] as number) >= (scores[gold] as number)) rank++;
  return rank;
}
