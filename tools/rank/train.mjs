// Fits the trees of the learned ranking, and measures them on sets that they were not fitted on (README.md).
// node tools/rank/train.mjs [--in FOLDER] [--leave-out] [--without FEATURES] [--write]
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measure, readSet } from './examples.mjs';
import { boost, scoreRows } from './trees.mjs';

const { values } = parseArgs({
  options: {
    in: { type: 'string', default: '.rank' },
    'leave-out': { type: 'boolean', default: false },
    without: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

/**
 * What each set counts in total, and whether one of the marked candidates is enough: then a passage or a session is known, but
 * not the sentence in it. LoCoMo is only measured: its licence does not permit weights.
 * @type {Record<string, { weight: number, one?: boolean }>}
 */
const fitted = {
  friends: { weight: 1200 },
  molweni: { weight: 250 },
  'longmemeval-tune': { weight: 400, one: true },
  'pooled-tune': { weight: 1000, one: true },
  docs: { weight: 250, one: true },
  commits: { weight: 250, one: true },
  qmsum: { weight: 100, one: true },
};
const measured = ['locomo-tune', 'locomo-report'];
/** The trees add to the search's own score, times this. */
const scoreWeight = 8;
/** Every so many questions of LongMemEval are kept apart, except for the weights that are written. */
const keptApart = 3;

/** @typedef {import('./examples.mjs').Set & { start: Float64Array }} Loaded */
const sets = [...Object.keys(fitted), ...measured].map(load);
const names = /** @type {Loaded} */ (sets[0]).names;
const width = names.length;
const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

if (values['leave-out']) {
  for (const left of Object.keys(fitted))
    report(
      train((set) => set !== left),
      [left],
    );
} else {
  const model = train(() => true);
  report(
    model,
    sets.map(({ name }) => name),
  );
  if (values.write) write(model);
}

/** @param {string} name @returns {Loaded} */
function load(name) {
  const set = readSet(values.in, name);
  const score = set.names.indexOf('score');
  const columns = set.names.length;
  const start = Float64Array.from(
    { length: set.values.length / columns },
    (_, row) => scoreWeight * /** @type {number} */ (set.values[row * columns + score]),
  );
  const without = new RegExp(`^(?:${values.without})$`);
  set.names.forEach((feature, column) => {
    if (values.without && without.test(feature))
      for (let at = column; at < set.values.length; at += columns) set.values[at] = 0;
  });
  return { ...set, start };
}

/** @param {string} set @param {number} number */
function isKeptApart(set, number) {
  return !values.write && /^(?:longmemeval|pooled)-tune$/.test(set) && number % keptApart === 0;
}

/** @param {(set: string) => boolean} uses */
function train(uses) {
  const used = sets.filter(({ name }) => name in fitted && uses(name));
  const total = used.reduce((sum, { start }) => sum + start.length, 0);
  const examples = {
    width,
    values: new Float32Array(total * width),
    start: new Float64Array(total),
    groups: /** @type {any[]} */ ([]),
  };
  let from = 0;
  for (const { name, groups, values: own, start } of used) {
    examples.values.set(own, from * width);
    examples.start.set(start, from);
    const { weight, one } = /** @type {{ weight: number, one?: boolean }} */ (fitted[name]);
    const usable = groups.flatMap(({ right, session }, number) => {
      const first = from;
      from += right.length;
      const rows = right.flatMap((is, at) => (is ? [at] : []));
      if (rows.length === 0 || rows.length === right.length || isKeptApart(name, number)) return [];
      const units = one
        ? [...new Set(rows.map((at) => session[at]))].map((its) =>
            rows.filter((at) => session[at] === its).map((at) => first + at),
          )
        : rows.map((at) => [first + at]);
      return [{ from: first, to: from, units }];
    });
    for (const group of usable) examples.groups.push({ ...group, weight: weight / usable.length });
  }
  return boost(examples);
}

/** @param {ReturnType<typeof train>} model @param {string[]} shown */
function report(model, shown) {
  for (const set of sets.filter(({ name }) => shown.includes(name))) {
    const added = scoreRows(model, set.values, width);
    const after = added.map((value, row) => value + /** @type {number} */ (set.start[row]));
    const line = (/** @type {string} */ name, /** @type {(group: any, number: number) => boolean} */ fits) => {
      const numbers = new Map(set.groups.map((group, number) => [group, number]));
      const chosen = (/** @type {any} */ group) => fits(group, /** @type {number} */ (numbers.get(group)));
      const [old, now] = [set.start, after].map((scores) =>
        measure(set, (from, to) => scores.subarray(from, to), chosen),
      );
      print(
        `${name}: ${Object.keys(now)
          .map((figure) => `${figure} ${old[figure]} → ${now[figure]}`)
          .join(', ')}`,
      );
    };
    line(set.name, () => true);
    if (isKeptApart(set.name, 0)) line('… kept apart', (_, number) => isKeptApart(set.name, number));
    const types = measured.includes(set.name) ? [...new Set(set.groups.map(({ type }) => type))].sort() : [];
    for (const type of types) line(`… ${type}`, (group) => group.type === type);
  }
}

/** @param {ReturnType<typeof train>} model */
function write({ depth, cuts, trees }) {
  const isUsed = (/** @type {number} */ column) =>
    trees.some(({ feature, bin }) => feature.some((its, node) => its === column && bin[node] <= cuts[column].length));
  const used = cuts.map((own, column) => (isUsed(column) ? own : []));
  const step = Math.max(...trees.flatMap(({ value }) => value.map(Math.abs))) / 32_767;
  const bytes = trees.flatMap(({ feature, bin, value }) => [
    ...feature.flatMap((column, node) => [column, bin[node]]),
    ...value.flatMap((leaf) => {
      const whole = Math.round(leaf / step) & 0xffff;
      return [whole & 0xff, whole >> 8];
    }),
  ]);
  const table = {
    features: names,
    scoreWeight,
    depth,
    step,
    counts: used.map(({ length }) => length),
    cuts: Buffer.from(new Float32Array(used.flat()).buffer).toString('base64'),
    trees: Buffer.from(bytes).toString('base64'),
  };
  const path = 'src/search/rank/weights.ts';
  const file = new URL(`../../${path}`, import.meta.url);
  writeFileSync(
    file,
    `// Made by tools/rank/train.mjs; do not edit.\nexport const weights = ${JSON.stringify(table)};\n`,
  );
  execFileSync('npx', ['biome', 'check', '--write', path], {
    cwd: new URL('../../', import.meta.url),
    stdio: 'ignore',
  });
  print(`${trees.length} trees, ${bytes.length} bytes`);
}
