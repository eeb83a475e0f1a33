// Prints how well `learn` does on sentences of public agent transcripts: precision and recall by language, speaker and source.
// node bench/quality/learn/public.mjs [--split tune|held] [--misses] [--json]      --misses is refused for held.
import { parseArgs } from 'node:util';
import { loadBundled } from '../../bundle.mjs';
import { judge, tokens } from './public/match.mjs';
import { readExcerpts } from './public/read.mjs';

const { values } = parseArgs({
  options: {
    split: { type: 'string', default: 'tune' },
    misses: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const split = values.split === 'held' ? 'held' : 'tune';
if (values.misses && split === 'held')
  throw new Error('--misses is not available for held: nobody may look at its sentences');

const { redactJson, readConversation, extractFacts } = await loadBundled(
  'src/core/secret/redact.ts',
  'src/services/memory/text/conversation.ts',
  'src/services/memory/text/extract.ts',
);
const { excerpts, missing } = readExcerpts(split);

/** @typedef {{ sentences: number, wanted: number, found: number, right: number, wrong: number, alone: number }} Tally */
/** @type {Map<string, Tally>} */
const tallies = new Map();

for (const { id, language, source, turns, sentences } of excerpts) {
  // The hooks hand a conversation over as JSON lines.
  const content = redactJson(turns.map((turn) => JSON.stringify(turn)).join('\n'));
  const judged = sentences.filter(({ label }) => label !== 'output');
  /** @type {Set<object>} */
  const found = new Set();
  for (const { text, context } of extractFacts(readConversation(content)).facts) {
    const { verdict, sources } = judge(text, sentences);
    const wanted = sources.filter(({ label }) => label === 'keep');
    const role = (verdict === 'right' ? wanted : sources)[0]?.role ?? 'no sentence';
    if (verdict === 'right') for (const sentence of wanted) found.add(sentence);
    if (verdict !== 'either') {
      const alone = verdict === 'right' && wanted.every(({ needs }) => hasOneOf(`${context ?? ''} ${text}`, needs));
      count([language, role, source], { [verdict]: 1, alone: alone ? 1 : 0 });
    }
    if (values.misses && verdict === 'wrong') console.log(`wrong   ${id}  ${text.replaceAll('\n', '⏎')}`);
  }
  for (const sentence of judged) {
    const wanted = sentence.label === 'keep';
    count([language, sentence.role, source], {
      sentences: 1,
      wanted: wanted ? 1 : 0,
      found: found.has(sentence) ? 1 : 0,
    });
    if (values.misses && wanted && !found.has(sentence)) console.log(`missed  ${id}  ${sentence.text}`);
  }
}
print();

/** @param {string} text @param {string[]} needs */
function hasOneOf(text, needs) {
  const words = new Set(tokens(text));
  return needs.length === 0 || needs.some((need) => words.has(need.toLowerCase()));
}

/** @param {string[]} groups @param {Partial<Tally>} counts */
function count(groups, counts) {
  for (const group of ['all', ...groups]) {
    const tally = tallies.get(group) ?? { sentences: 0, wanted: 0, found: 0, right: 0, wrong: 0, alone: 0 };
    for (const [name, value] of Object.entries(counts)) tally[/** @type {keyof Tally} */ (name)] += value;
    tallies.set(group, tally);
  }
}

function print() {
  if (missing.length > 0) console.log(`skipped, no text on this machine (see README.md): ${missing.join(', ')}`);
  const groups = ['all', ...new Set(excerpts.flatMap(({ language }) => language)), 'user', 'assistant', 'no sentence'];
  const sorted = [...tallies].sort(([a], [b]) => rank(groups, a) - rank(groups, b) || (a < b ? -1 : 1));
  const rows = sorted.map(([group, { sentences, wanted, found, right, wrong, alone }]) => ({
    [split]: group,
    sentences,
    wanted,
    found,
    right,
    wrong,
    precision: percent(right, right + wrong),
    recall: percent(found, wanted),
    'stands alone': percent(alone, right),
  }));
  if (values.json) console.log(JSON.stringify(rows));
  else console.table(rows);
}

/** Sources come last. @param {string[]} groups @param {string} group */
function rank(groups, group) {
  return groups.includes(group) ? groups.indexOf(group) : groups.length;
}

/** @param {number} part @param {number} whole */
function percent(part, whole) {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`;
}
