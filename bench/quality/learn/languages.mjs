// Whether `learn` understands other languages as well as English: everyday sentences and their translations by people, judged
// alike. There are no labels; what it makes of the English sentence is what it should make of the translation.
// node bench/quality/learn/languages.mjs [tune|report] [--clones FOLDER] [--failures]
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadBundled, root } from '../../bundle.mjs';

/** The names of the files in the source. */
const languages = {
  zh: 'cmn',
  ja: 'jpn',
  ko: 'kor',
  de: 'deu',
  fr: 'fra',
  es: 'spa',
  pt: 'por',
  ru: 'rus',
  ar: 'ara',
  hi: 'hin',
};
const commit = '74bc6ae7ffb7cba670fe0f428d0ede9f666fb821';
const now = Date.UTC(2026, 5, 17, 12);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    clones: { type: 'string', default: `${root}../.mirror` },
    failures: { type: 'boolean', default: false },
  },
});
const folder = `${values.clones}/facebookresearch+LASER/repo`;
const rest = positionals[0] === 'report' ? 1 : 0;
if (!existsSync(folder))
  console.log(`Skipped: no clone of the sentences in "${folder}" (bench/quality/learn/README.md).`);
else await measure();

async function measure() {
  const text = 'src/services/memory/text';
  const modules = [`${text}/extract.ts`, `${text}/extract-keep.ts`, `${text}/extract-clause.ts`, `${text}/classify.ts`];
  const { extractFacts, findCue, readClause, classify, readTimePhrase } = await loadBundled(
    ...modules,
    'src/services/memory/time/time-phrase.ts',
  );
  /** @type {Record<string, (text: string) => unknown>} */
  const views = {
    rule: (said) => findCue(readClause(said)) === 'rule',
    preference: (said) => findCue(readClause(said)) === 'preference',
    decision: (said) => findCue(readClause(said)) === 'decision',
    correction: (said) => findCue(readClause(said)) === 'correction',
    'past time': (said) => readTimePhrase(said, now) !== undefined,
    event: (said) => classify(said).kind === 'episodic',
    stored: (said) => extractFacts(`User: ${said}`).facts.length > 0,
  };
  console.log(`| | ${Object.keys(views).join(' | ')} |\n|---|${'---|'.repeat(Object.keys(views).length)}`);
  /** @type {Record<string, number[]>} */
  const totals = {};
  for (const [language, name] of Object.entries(languages)) {
    const [english, other] = ['eng', name].map((end) => readLines(`data/tatoeba/v1/tatoeba.${name}-eng.${end}`));
    const cells = Object.entries(views).map(([title, view]) => {
      const sum = totals[title] ?? [0, 0, 0];
      totals[title] = sum;
      let [right, wanted, given] = [0, 0, 0];
      for (const [at, said] of english.entries()) {
        const [wants, gives] = [Boolean(view(said)), Boolean(view(other[at]))];
        wanted += Number(wants);
        given += Number(gives);
        right += Number(wants && gives);
        if (values.failures && wants !== gives)
          console.log(`${language} ${title} ${wants ? '-' : '+'} ${said} = ${other[at]}`);
      }
      for (const [at, count] of [right, wanted, given].entries()) sum[at] += count;
      return show(right, wanted, given);
    });
    console.log(`| ${language} | ${cells.join(' | ')} |`);
  }
  console.log(
    `| **all** | ${Object.values(totals)
      .map(([right, wanted, given]) => show(right, wanted, given))
      .join(' | ')} |`,
  );
}

/** Recall and precision, with English as the truth. @param {number} right @param {number} wanted @param {number} given */
function show(right, wanted, given) {
  const share = (/** @type {number} */ of) => (of === 0 ? '–' : String(Math.round((100 * right) / of)));
  return `${share(wanted)} / ${share(given)} (${wanted})`;
}

/** @param {string} path */
function readLines(path) {
  const text = execFileSync('git', [`--git-dir=${folder}`, 'show', `${commit}:${path}`], { encoding: 'utf8' });
  return text
    .trimEnd()
    .split('\n')
    .filter((_, at) => at % 2 === rest);
}
