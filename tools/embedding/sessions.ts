// Session retrieval on LongMemEval's tune split, by the table alone: a session is found by its whole text (what the user
// said) or by its best turn. Reads ../shared/data beside the repository and says so where it is absent.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { createStaticEmbedder, measureCosine } from '../../src/search/embed.ts';

interface Question {
  id: string;
  question: string;
  gold: string[];
  haystack: [session: string, date: string][];
}

const folder = fileURLToPath(new URL('../../../shared/data/longmemeval/', import.meta.url));
const embedder = createStaticEmbedder(process.argv[2]);
if (existsSync(folder)) measureSessions();
else process.stderr.write(`Skipped: ${folder} is absent\n`);

function measureSessions(): void {
  const questions: Question[] = JSON.parse(readFileSync(`${folder}tune.json`, 'utf8'));
  const wanted = new Set(questions.flatMap(({ haystack }) => haystack.map(([session]) => session)));
  const wholes = new Map<string, Int8Array>();
  const turns = new Map<string, Int8Array[]>();
  for (const line of gunzipSync(readFileSync(`${folder}sessions.ndjson.gz`))
    .toString()
    .split('\n')) {
    if (!line) continue;
    const [session, said] = JSON.parse(line) as [string, [string, string][]];
    if (!wanted.has(session)) continue;
    const texts = said.filter(([role]) => role === 'u').map(([, text]) => text);
    wholes.set(session, embedder.embed([texts.join('\n')])[0] as Int8Array);
    turns.set(session, embedder.embed(texts));
  }
  const ways: Record<string, (query: Int8Array, session: string) => number> = {
    whole: (query, session) => measureCosine(query, wholes.get(session) as Int8Array),
    turn: (query, session) =>
      Math.max(...(turns.get(session) as Int8Array[]).map((turn) => measureCosine(query, turn))),
  };
  ways.both = (query, session) =>
    (ways.whole as (typeof ways)[string])(query, session) + (ways.turn as (typeof ways)[string])(query, session);
  const asked = questions.filter(({ id, gold }) => !id.endsWith('_abs') && gold.length > 0);
  for (const [way, score] of Object.entries(ways)) {
    const tops = asked.map(({ question, haystack }) => {
      const query = embedder.embed([question])[0] as Int8Array;
      const scored = haystack.map(([session]) => ({ session, score: score(query, session) }));
      return scored.sort((a, b) => b.score - a.score).map(({ session }) => session);
    });
    const share = (test: (top: string[], gold: string[]) => boolean) =>
      ((100 * asked.filter(({ gold }, index) => test(tops[index] as string[], gold)).length) / asked.length).toFixed(1);
    const any = (k: number) => share((top, gold) => gold.some((session) => top.slice(0, k).includes(session)));
    const all = (k: number) => share((top, gold) => gold.every((session) => top.slice(0, k).includes(session)));
    process.stdout.write(
      `sessions by ${way}: any@1 ${any(1)}, any@5 ${any(5)}, all@5 ${all(5)} (${asked.length} questions)\n`,
    );
  }
}
