// Asks a project of about thirty facts in one language: questions in the same language, in English, and English facts in that
// language; and whether `enhance` adds the right fact, and nothing for prompts about other things.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printTable, type Row } from '../table.ts';
import { openTools, removeDatabase, type Tools } from '../tools.ts';

/** A part of a file of a public repository: blob, first byte, end. */
type Excerpt = [blob: string, from: number, to: number];

interface LanguageRow {
  id: string;
  texts: Record<string, { question: Excerpt; fact: Excerpt }>;
}

interface Content extends Record<SetName, LanguageRow[]> {
  prompts: Record<string, Excerpt[]>;
}

type SetName = 'documents' | 'questions' | 'answers';

interface RunOptions {
  root: string;
  folder: string;
  clones: string;
  split: string;
  languages: readonly string[];
  sets: readonly SetName[];
  showFailures: boolean;
}

const repositories = [
  'microsoft+IoT-For-Beginners',
  'google-deepmind+xquad',
  'google-research+url-nlp',
  'bitcoin-dot-org+bitcoin.org',
  'ethereum+ethereum-org-website',
  'UniversalDependencies+UD_',
];

export async function run({ root, folder, clones, split, languages, sets, showFailures }: RunOptions): Promise<Row[]> {
  const content = JSON.parse(readFileSync(join(root, 'bench/quality/languages', `${split}.json`), 'utf8')) as Content;
  const read = createReader(clones);
  const rows: Row[] = [];
  for (const set of sets) {
    const measured: Row[] = [];
    for (const language of ['en', ...languages]) {
      const own = content[set].filter(({ texts }) => texts[language]);
      if (own.length === 0) continue;
      const texts = (name: string, part: 'question' | 'fact') =>
        own.map((row) => read((row.texts[name] as LanguageRow['texts'][string])[part]));
      const facts = texts(language, 'fact');
      const [same, foreign] = await openAll(folder, [facts, texts('en', 'fact')]);
      const figures: Record<string, number> = {
        ...(await measureRecall(same as Asked, texts(language, 'question'), '', showFailures)),
        ...(await measureEnhance(
          same as Asked,
          texts(language, 'question'),
          (content.prompts[language] ?? []).map(read),
          showFailures,
        )),
      };
      if (language !== 'en') {
        Object.assign(figures, await measureRecall(same as Asked, texts('en', 'question'), 'from English: ', false));
        Object.assign(
          figures,
          await measureRecall(foreign as Asked, texts(language, 'question'), 'to English: ', false),
        );
      }
      for (const { tools } of [same, foreign] as Asked[]) await tools.close();
      measured.push({ name: `${set} ${language}`, questions: own.length, figures });
    }
    const others = measured.slice(1);
    const mean = (key: string) => others.reduce((sum, { figures }) => sum + (figures[key] ?? 0), 0) / others.length;
    const keys = Object.keys(others[0]?.figures ?? {});
    const all = {
      name: `**${set}, without English**`,
      questions: others.reduce((sum, { questions }) => sum + questions, 0),
    };
    rows.push(...measured, { ...all, figures: Object.fromEntries(keys.map((key) => [key, mean(key)])) });
  }
  printTable(rows);
  return rows;
}

interface Asked {
  tools: Tools;
  facts: readonly string[];
  /** Ids of the facts in their order. */
  ids: string[];
}

async function openAll(folder: string, sets: readonly string[][]): Promise<Asked[]> {
  const opened: Asked[] = [];
  for (const [at, facts] of sets.entries()) {
    const path = join(folder, `languages-${at}.db`);
    removeDatabase(path);
    const tools = await openTools(path, folder);
    const ids: string[] = [];
    for (const content of facts) ids.push((await tools.call<{ id: string }>('remember', { content })).id);
    await tools.settle();
    opened.push({ tools, facts, ids });
  }
  return opened;
}

async function measureRecall(
  { tools, facts, ids }: Asked,
  questions: readonly string[],
  name: string,
  showFailures: boolean,
) {
  let [first, three] = [0, 0];
  for (const [at, query] of questions.entries()) {
    const { memories } = await tools.call<{ memories: { id: string; text: string }[] }>('recall', { query });
    const rank = memories.findIndex(({ id }) => id === ids[at]);
    if (rank === 0) first++;
    else if (showFailures) {
      console.log(`recall: ${rank < 0 ? 'not found' : rank + 1}: ${query}`);
      console.log(`  first: ${memories[0]?.text}\n  right: ${facts[at]}`);
    }
    if (rank >= 0 && rank < 3) three++;
  }
  return { [`${name}top 1`]: first / questions.length, [`${name}top 3`]: three / questions.length };
}

async function measureEnhance(
  { tools, ids }: Asked,
  questions: readonly string[],
  others: readonly string[],
  showFailures: boolean,
) {
  const enhance = async (prompt: string) => (await tools.call<{ memories: string[] }>('enhance', { prompt })).memories;
  let [helped, silent] = [0, 0];
  for (const [at, prompt] of questions.entries()) {
    if ((await enhance(prompt)).includes(ids[at] as string)) helped++;
    else if (showFailures) console.log(`enhance: ${prompt}`);
  }
  for (const prompt of others) if ((await enhance(prompt)).length === 0) silent++;
  return { 'enhance: helped': helped / questions.length, 'enhance: silent': silent / others.length };
}

function createReader(clones: string): (excerpt: Excerpt) => string {
  const folders = readdirSync(clones).filter((name) => repositories.some((known) => name.startsWith(known)));
  const blobs = new Map<string, Buffer>();
  const load = (blob: string): Buffer => {
    for (const name of folders) {
      try {
        const args = [`--git-dir=${join(clones, name, 'repo')}`, 'cat-file', 'blob', blob];
        return execFileSync('git', args, { maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'ignore'] });
      } catch {}
    }
    throw new Error(`Cannot read blob "${blob}": no clone in "${clones}" has it`);
  };
  return ([blob, from, to]) => {
    const bytes = blobs.get(blob) ?? load(blob);
    blobs.set(blob, bytes);
    return clean(bytes.toString('utf8', from, to));
  };
}

/** Without escapes of JSON and the marks of Markdown. */
function clean(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>|\*\*|`|\\(?=")/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
