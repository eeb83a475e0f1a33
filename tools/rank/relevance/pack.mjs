// Packs what train.py learns from, as tokens: prompts with facts that help and others, turns of meetings, which never help, and pairs
// without an answer, on which the ranker has to rank as before.
// node tools/rank/relevance/pack.mjs CLONES TOKENIZER.json SHARED_DATA OUT; gather.mjs has written the sets to .rank
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { loadBundled } from '../../../bench/bundle.mjs';
import { createRandom } from '../trees.mjs';

/** @typedef {{ text: string, before?: string | undefined }} Pair */

const [clones = '', tokenizer = '', shared = '', out = ''] = process.argv.slice(2);
const { createEncoder } = await loadBundled('src/search/rank/deep/input.ts');
const { vocab } = JSON.parse(readFileSync(tokenizer, 'utf8')).model;
const pieces = Object.keys(vocab).sort((a, b) => vocab[a] - vocab[b]);
const shape = JSON.parse(readFileSync(new URL('../deep/shape.json', import.meta.url), 'utf8'));
/** @type {import('../../../src/search/rank/deep/input.ts').Encoder} */
const encoder = createEncoder(pieces, shape);
const random = createRandom(7);
const commitsOf =
  `mitmproxy+mitmproxy restic+restic vitejs+vite webpack+webpack prometheus+prometheus celery+celery pnpm+pnpm scrapy+scrapy
  gohugoio+hugo jestjs+jest libuv+libuv tornadoweb+tornado pydantic+pydantic facebook+docusaurus sqlalchemy+sqlalchemy ipython+ipython
  vitest-dev+vitest trpc+trpc composer+composer nushell+nushell stylelint+stylelint sveltejs+kit TanStack+router rails+rails`.split(
    /\s+/,
  );
const until = '2026-06-01';
const mostTurns = 3_000;

mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'prompts.json'), JSON.stringify(packPrompts()));
packPairs([...askAssistants(), ...askMeetings(), ...askCommits()]);

/** All texts once, and their numbers in each set. */
function packPrompts() {
  /** @type {number[][]} */
  const texts = [];
  const known = new Map();
  const number = (/** @type {Iterable<number>} */ tokens) => {
    const key = [...tokens].join(' ');
    if (!known.has(key)) known.set(key, texts.push([...tokens]) - 1);
    return known.get(key);
  };
  const pair = (/** @type {Uint16Array} */ asked, /** @type {string} */ text) =>
    number(encoder.pair(asked, { text }).slice(asked.length + 2, -1));
  const nobody = encoder.question('a');
  const sets = Object.fromEntries(
    ['tasks', 'apart', 'tune'].map((set) => {
      const stores = JSON.parse(readFileSync(join('.rank/sets', `${set}.json`), 'utf8'));
      const packed = stores.map((/** @type {any} */ { sessions: [{ turns }], questions }) => ({
        facts: turns.map((/** @type {any} */ { text }) => pair(nobody, text)),
        prompts: questions.map((/** @type {any} */ { question, evidence }) => {
          const asked = encoder.question(question);
          return {
            prompt: number(asked),
            facts: turns.map((/** @type {any} */ { text }) => pair(asked, text)),
            right: turns.map((/** @type {any} */ { id }) => Number(evidence.includes(id))),
          };
        }),
      }));
      return [set, packed];
    }),
  );
  const said = readMeetings().flatMap(({ turns }) => turns);
  const step = Math.ceil(said.length / mostTurns);
  const turns = said.filter((_, at) => at % step === 0).map((text) => pair(nobody, text));
  return { texts, sets, turns };
}

/** @param {{ question: string, pairs: Pair[] }[]} groups */
function packPairs(groups) {
  const rows = groups.flatMap(({ question, pairs }) => {
    const asked = encoder.question(question);
    return pairs.map((pair) => encoder.pair(asked, pair));
  });
  const tokens = new Uint16Array(rows.reduce((sum, row) => sum + row.length, 0));
  rows.reduce((at, row) => {
    tokens.set(row, at);
    return at + row.length;
  }, 0);
  writeFileSync(join(out, 'pairs.u16'), tokens);
  writeFileSync(
    join(out, 'pairs.lengths'),
    Uint8Array.from(rows, (row) => row.length),
  );
  const asked = groups.map(({ question, pairs }) => [encoder.question(question).length + 2, pairs.length]);
  writeFileSync(join(out, 'pairs.json'), JSON.stringify(asked));
  process.stdout.write(`${groups.length} questions, ${rows.length} pairs\n`);
}

/** What users ask an assistant, beside turns of the same conversations: the tuning split of LongMemEval, without what its report split has. */
function askAssistants() {
  const read = (/** @type {string} */ split) =>
    JSON.parse(readFileSync(join(shared, `longmemeval/${split}.json`), 'utf8'));
  const sessions = (/** @type {any[]} */ questions) =>
    new Set(questions.flatMap(({ haystack }) => haystack.map((/** @type {[string]} */ [session]) => session)));
  const [tune, report] = [read('tune'), sessions(read('report'))];
  const used = sessions(tune);
  /** @type {{ pairs: Pair[], asked: string[] }[]} */
  const pools = [{ pairs: [], asked: [] }];
  const lines = gunzipSync(readFileSync(join(shared, 'longmemeval/sessions.ndjson.gz'))).toString('utf8');
  for (const line of lines.split('\n').filter(Boolean)) {
    const [session, turns] = JSON.parse(line);
    if (!used.has(session) || report.has(session)) continue;
    if ((pools.at(-1)?.pairs.length ?? 0) > 2_500) pools.push({ pairs: [], asked: [] });
    const { pairs, asked } = /** @type {(typeof pools)[number]} */ (pools.at(-1));
    for (const [at, [role, text]] of turns.entries()) {
      if (text.trim() === '') continue;
      pairs.push({ text, before: turns[at - 1]?.[1] });
      const question =
        role === 'u'
          ? text
              .match(/[^.?!\n]+\?/g)
              ?.at(-1)
              ?.trim()
          : undefined;
      if (question !== undefined && countWords(question) >= 5 && countWords(question) <= 40) asked.push(question);
    }
  }
  return pools.slice(0, 8).flatMap(({ pairs, asked }, at) => {
    const own = tune.filter((/** @type {unknown} */ _, /** @type {number} */ number) => number % 8 === at);
    return ask([...sample(asked, 350), ...own.map((/** @type {any} */ { question }) => question)], pairs, 14);
  });
}

function readMeetings() {
  return ['val', 'test'].flatMap((part) => {
    const text = git('Yale-LILY+QMSum', 'show', `HEAD:data/ALL/jsonl/${part}.jsonl`);
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const { meeting_transcripts: said, specific_query_list: queries } = JSON.parse(line);
        const turns = said.map((/** @type {any} */ one) => `${one.speaker}: ${one.content.replace(/\{\w+\}/g, '')}`);
        return {
          turns: /** @type {string[]} */ (turns.filter((/** @type {string} */ turn) => countWords(turn) > 5)),
          queries: /** @type {string[]} */ (queries.map((/** @type {any} */ { query }) => query)),
        };
      });
  });
}

function askMeetings() {
  return readMeetings().flatMap(({ turns, queries }) => {
    const asked = turns.flatMap((turn) => (turn.match(/[^.?!:]+\?/g) ?? []).filter((one) => countWords(one) > 6));
    const pairs = turns.map((text, at) => ({ text, before: turns[at - 1] }));
    return pairs.length < 30 ? [] : ask([...queries, ...sample(asked, 25)], pairs, 14);
  });
}

function askCommits() {
  return commitsOf.flatMap((repository) => {
    const log = git(repository, 'log', '--no-merges', `--until=${until}`, '-2500', '--format=%s%x01%b%x02');
    const found = log.split('\x02').flatMap((entry) => {
      const [subject = '', body = ''] = entry.trim().split('\x01');
      const question = subject.replace(/\s*\(?#\d+\)?|^\w+(\([^)]*\))?!?: */g, '');
      const [text] = body
        .replace(/```[\s\S]*?```/g, '')
        .split(/\n\s*\n/)
        .map((part) => part.replace(/[[`*]/g, ' ').replace(/\s+/g, ' ').trim())
        .filter((part) => countWords(part) >= 12 && !/^(?:[\w-]+-by|close|fix\w* #|see )/i.test(part));
      return text !== undefined && countWords(question) >= 4 ? [{ question, text }] : [];
    });
    const questions = found.map(({ question }) => question);
    return found.length < 40 ? [] : ask(sample(questions, 110), found, 12);
  });
}

/** Each question with the texts that share most words with it, and four others. @param {string[]} questions @param {Pair[]} pairs @param {number} count */
function ask(questions, pairs, count) {
  /** @type {Map<string, number[]>} */
  const index = new Map();
  for (const [at, { text }] of pairs.entries()) {
    for (const word of listWords(text)) index.set(word, [...(index.get(word) ?? []), at]);
  }
  return questions.map((question) => {
    /** @type {Map<number, number>} */
    const scores = new Map();
    for (const word of listWords(question)) {
      const having = index.get(word) ?? [];
      if (having.length > pairs.length / 5) continue;
      for (const at of having) scores.set(at, (scores.get(at) ?? 0) + Math.log(pairs.length / having.length));
    }
    const best = [...scores].sort((a, b) => b[1] - a[1]).slice(0, count - 4);
    const chosen = new Set(best.map(([at]) => at));
    while (chosen.size < count) chosen.add(Math.floor(random() * pairs.length));
    return { question, pairs: [...chosen].map((at) => /** @type {Pair} */ (pairs[at])) };
  });
}

/** @param {string} text */
function listWords(text) {
  return new Set(text.toLowerCase().match(/[a-z0-9]{3,}/g) ?? []);
}

/** @param {string} text */
function countWords(text) {
  return text.trim().split(/\s+/).length;
}

/** @template T @param {T[]} all @param {number} most */
function sample(all, most) {
  return all.filter(() => random() < most / all.length);
}

/** @param {string} repository @param {string[]} args */
function git(repository, ...args) {
  const folder = join(clones, repository, 'repo');
  const command = ['-c', 'safe.directory=*', '--git-dir', folder, ...args];
  return execFileSync('git', command, { encoding: 'utf8', maxBuffer: 2 ** 28 });
}
