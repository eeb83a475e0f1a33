// Trains the model behind `learn` (src/services/memory/text/judge.ts) and writes its weights.
// node tools/learn/train.mjs [--write]     without --write: only the cross-validation, by owner
//
// Examples are the sentences of bench/quality/learn/public/tune (see the README there for the texts they refer to) and of
// bench/quality/learn/tune. Deterministic; some minutes.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadBundled } from '../../bench/bundle.mjs';
import { readKinds, readLanguages, readPairs, readTalks } from '../../bench/quality/learn/cases.mjs';
import { judge as compare } from '../../bench/quality/learn/public/match.mjs';
import { readExcerpts } from '../../bench/quality/learn/public/read.mjs';

/** @typedef {{ example: Example, score: number }} Scored */
/** @typedef {{ repo: string, role: 'user' | 'assistant' | 'other', label: 0 | 1 | undefined, wanted: object[], features: Map<string, number>, weight?: number }} Example */

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
/**
 * Least likelihood to be kept, chosen from the table that this prints: where a higher one costs more recall than it gains
 * precision. What nobody said in a conversation was handed over on purpose.
 */
const floor = { user: 0.6, assistant: 0.65, other: 0.4 };
const folder = 'src/services/memory/text';
const {
  redactJson,
  readConversation,
  splitSentences,
  readClause,
  findRefusalReason,
  featuresOf,
  findLeads,
  hashFeature,
} = await loadBundled(
  'src/core/secret/redact.ts',
  `${folder}/conversation.ts`,
  `${folder}/sentence.ts`,
  `${folder}/extract-clause.ts`,
  `${folder}/extract-output.ts`,
  `${folder}/judge.ts`,
);
/** Of the cross-validation. */
const parts = 10;
/** Statements without a conversation around them must not outweigh what people really say. */
const statementWeight = 0.3;
/** The house set is small; without more weight what people state plainly would drown in talk about tasks. */
const houseWeight = 5;
const house = 'written for the tests';
const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);
const examples = [...readPublic(), ...readHouse()];

const scored = crossValidate();
print(
  `${examples.length} sentences, ${examples.filter(({ label }) => label === 1).length} to keep; judged without their owner:`,
);
const isPublic = (/** @type {Scored} */ { example }) => example.repo !== house;
for (const role of /** @type {const} */ (['user', 'assistant'])) {
  const some = scored.filter((one) => isPublic(one) && one.example.role === role);
  for (const least of [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    print(`${role} from ${least}: ${measure(some, () => least)}`);
}
print(`public, with the floors: ${measure(scored.filter(isPublic), ({ example }) => floor[example.role])}`);
print(
  `house, with the floors: ${measure(
    scored.filter((one) => !isPublic(one)),
    ({ example }) => floor[example.role],
  )}`,
);
if (values.write) write(train(examples));

/** What is shipped learns only from texts whose authors permit it. */
function readPublic() {
  const { tune } = JSON.parse(
    readFileSync(new URL('../../bench/quality/learn/public/sources.json', import.meta.url), 'utf8'),
  );
  const { excerpts, missing } = readExcerpts('tune');
  if (missing.length > 0) print(`without the texts of ${missing.join(', ')}`);
  const permitted = excerpts.filter(({ source }) => /^(?:MIT|Apache|BSD|ISC|CC0)/.test(tune[source].licence));
  return permitted.flatMap(({ source, turns, sentences }) => {
    const content = redactJson(turns.map((turn) => JSON.stringify(turn)).join('\n'));
    return place(source, content, (text) => {
      const { verdict, sources } = compare(text, sentences);
      const wanted = sources.filter(({ label }) => label === 'keep');
      return { label: verdict === 'right' ? 1 : verdict === 'wrong' ? 0 : undefined, wanted };
    });
  });
}

/** Conversations, and statements that are worth keeping by themselves. */
function readHouse() {
  const lasting = readKinds('tune').filter(({ kind }) => ['semantic', 'procedural', 'preference'].includes(kind));
  const statements = [
    ...lasting.map(({ text }) => text),
    ...readPairs('tune').flatMap(({ older, newer }) => [older, newer]),
  ];
  // Several in a message, as real messages have them: a statement alone must not count for more because it is alone.
  const told = [...new Set(statements)].map((text) => text.replaceAll('\n', ' '));
  const messages = Array.from({ length: 12 }, (_, i) => told.filter((_, k) => k % 12 === i).join('\n'));
  const alone = place(house, JSON.stringify(messages.map((content) => ({ role: 'user', content }))), (said) => ({
    label: 1,
    wanted: [{ said }],
  })).map((example) => ({ ...example, weight: statementWeight }));
  const talks = readTalks('tune').flatMap(({ text, sentences }) =>
    place(house, text, (said) => {
      const labelled = sentences.find((sentence) => sentence.text === said);
      return { label: labelled ? (labelled.keep ? 1 : 0) : undefined, wanted: labelled?.keep ? [labelled] : [] };
    }),
  );
  return [...talks, ...alone, ...readOtherLanguages()].map((example) => ({
    ...example,
    weight: houseWeight * (example.weight ?? 1),
  }));
}

function readOtherLanguages() {
  const sentences = readLanguages();
  return [...new Set(sentences.map(({ language }) => language))].flatMap((language) => {
    const own = sentences.filter((one) => one.language === language);
    const turns = ['user', 'assistant'].map((role) => ({
      role,
      content: own.flatMap((one) => (one.role === role ? [one.text] : [])).join('\n'),
    }));
    return place(house, JSON.stringify(turns), (said) => {
      const labelled = own.find(({ text }) => text === said);
      return { label: labelled ? (labelled.keep ? 1 : 0) : undefined, wanted: labelled?.keep ? [labelled] : [] };
    });
  });
}

/** @param {string} repo @param {string} content @param {(text: string) => { label: 0 | 1 | undefined, wanted: object[] }} label @returns {Example[]} */
function place(repo, content, label) {
  const { turns } = readConversation(content);
  return turns.flatMap((/** @type {any} */ { role, text }, /** @type {number} */ turn) => {
    const all = splitSentences(text);
    const leads = findLeads(all);
    return all.flatMap((/** @type {any} */ sentence, /** @type {number} */ at) => {
      if (sentence.form === 'code' || sentence.form === 'heading' || findRefusalReason(sentence.text) !== undefined)
        return [];
      const clause = readClause(sentence.text.slice(0, 1_500));
      const features = featuresOf({ sentence, clause, role, all, at, lead: leads[at], isFirstTurn: turn === 0 });
      return [{ repo, role, ...label(sentence.text), features }];
    });
  });
}

/** Each owner's repositories judged by a model that has seen nothing of that owner. */
function crossValidate() {
  const owners = [...new Set(examples.map(ownerOf))].sort();
  return Array.from({ length: parts }, (_, part) => part).flatMap((part) => {
    const left = new Set(owners.filter((_, at) => at % parts === part));
    const model = train(examples.filter((example) => !left.has(ownerOf(example))));
    return examples
      .filter((example) => left.has(ownerOf(example)))
      .map((example) => ({ example, score: score(model, example.features) }));
  });
}

/** @param {Example} example */
function ownerOf({ repo }) {
  return repo.split('/')[0];
}

/** Logistic regression by AdaGrad, with a fixed order of examples. @param {Example[]} all */
function train(all) {
  const used = all.filter(({ label }) => label !== undefined);
  /** @type {Map<string, number>} */
  const count = new Map();
  for (const { features } of used) for (const name of features.keys()) count.set(name, (count.get(name) ?? 0) + 1);
  /** @type {Map<string, [weight: number, square: number]>} */
  const model = new Map([['', [0, 1e-8]]]);
  for (const [name, times] of count) if (times >= 3) model.set(name, [0, 1e-8]);
  const rows = used.map(({ features, label, weight = 1 }) => ({
    weight,
    label: /** @type {number} */ (label),
    cells: [...features].flatMap(([name, value]) =>
      model.has(name) ? [{ cell: /** @type {[number, number]} */ (model.get(name)), value }] : [],
    ),
  }));
  const bias = /** @type {[number, number]} */ (model.get(''));
  let seed = 12_345;
  for (let epoch = 0; epoch < 40; epoch++) {
    for (let i = rows.length - 1; i > 0; i--) {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      const j = Math.floor((seed / 2 ** 32) * (i + 1));
      [rows[i], rows[j]] = [/** @type {any} */ (rows[j]), /** @type {any} */ (rows[i])];
    }
    for (const { label, cells, weight } of rows) {
      const error = 1 / (1 + Math.exp(-cells.reduce((sum, { cell, value }) => sum + cell[0] * value, bias[0]))) - label;
      for (const { cell, value } of [...cells, { cell: bias, value: 1 }]) {
        const slope = weight * error * value + (60 / rows.length) * cell[0];
        cell[1] += slope * slope;
        cell[0] -= (0.05 * slope) / Math.sqrt(cell[1]);
      }
    }
  }
  return new Map([...model].map(([name, [weight]]) => [name, weight]));
}

/** @param {Map<string, number>} model @param {Map<string, number>} features */
function score(model, features) {
  let sum = model.get('') ?? 0;
  for (const [name, value] of features) sum += (model.get(name) ?? 0) * value;
  return 1 / (1 + Math.exp(-sum));
}

/** @param {Scored[]} some @param {(one: Scored) => number} least */
function measure(some, least) {
  const wanted = new Set(some.flatMap(({ example }) => example.wanted));
  const kept = some.filter((one) => one.score >= least(one) && one.example.label !== undefined);
  const right = kept.filter(({ example }) => example.label === 1);
  const found = new Set(right.flatMap(({ example }) => example.wanted));
  return `precision ${percent(right.length, kept.length)}, recall ${percent(found.size, wanted.size)}`;
}

/** @param {number} part @param {number} whole */
function percent(part, whole) {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
}

/** @param {Map<string, number>} model */
function write(model) {
  const bytes = [...model].flatMap(([name, weight]) => {
    const step = Math.max(-127, Math.min(127, Math.round(weight * 32)));
    if (name === '' || Math.abs(step) < 2) return [];
    const hash = hashFeature(name);
    return [[hash & 0xff, (hash >> 8) & 0xff, hash >> 16, step & 0xff]];
  });
  const table = Buffer.from(bytes.sort((a, b) => Buffer.from(a).compare(Buffer.from(b))).flat()).toString('base64');
  const lines = table.match(/.{1,110}/g) ?? [];
  writeFileSync(
    new URL(`../../${folder}/judge-weights.ts`, import.meta.url),
    `// Made by tools/learn/train.mjs; do not edit.\nexport const weights = ${JSON.stringify({ bias: Math.round((model.get('') ?? 0) * 1e4) / 1e4, floor }, undefined, 2).slice(0, -2)},\n  table: '${lines.join('')}',\n};\n`,
  );
  print(`${bytes.length} weights, ${table.length} bytes`);
}
