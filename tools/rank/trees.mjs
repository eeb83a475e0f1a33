// Gradient-boosted regression trees for ranking: the loss is the cross-entropy of a softmax over the candidates of a question.
// Deterministic for a seed.

/** @typedef {{ feature: number[], bin: number[], left: Float64Array, value: number[] }} Tree complete, in level order */
/** @typedef {{ depth: number, trees: number, rate: number, bins: number, lambda: number, least: number, columns: number, rows: number, seed: number }} Options */
/** @typedef {{ width: number, values: Float32Array, start: Float64Array, groups: { from: number, to: number, weight: number, units: number[][] }[] }} Examples */

export const defaults = {
  depth: 4,
  trees: 250,
  rate: 0.05,
  bins: 48,
  lambda: 4,
  least: 1.5,
  columns: 0.5,
  rows: 0.6,
  seed: 7,
};

/** @param {number} seed */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** @param {Examples} examples @param {Partial<Options>} [given] @param {(tree: number, score: Float64Array) => void} [report] */
export function boost(examples, given = {}, report) {
  const options = { ...defaults, ...given };
  const { width, values, groups } = examples;
  const height = values.length / width;
  const random = createRandom(options.seed);
  const cuts = Array.from({ length: width }, (_, column) => findCuts(examples, column, options.bins));
  const binned = Array.from({ length: width }, (_, column) =>
    binColumn(values, width, column, /** @type {number[]} */ (cuts[column])),
  );
  const score = Float64Array.from(examples.start);
  const [slope, curve] = [new Float64Array(height), new Float64Array(height)];
  const trees = [];
  for (let number = 0; number < options.trees; number++) {
    const chosen = groups.filter(() => random() < options.rows);
    const rows = [];
    for (const group of chosen) {
      differentiate(group, score, slope, curve);
      for (let row = group.from; row < group.to; row++) rows.push(row);
    }
    const columns = cuts.flatMap((own, column) => (own.length > 0 && random() < options.columns ? [column] : []));
    const tree = grow(Int32Array.from(rows), columns, binned, slope, curve, options);
    for (let row = 0; row < height; row++)
      score[row] += /** @type {number} */ (
        tree.value[findLeaf(tree, options.depth, (column) => /** @type {any} */ (binned[column])[row])]
      );
    trees.push(tree);
    report?.(number, score);
  }
  return { depth: options.depth, cuts, trees };
}

/** First and second derivatives of the loss. A unit is a set of candidates of which one is enough. */
function differentiate({ from, to, weight, units }, score, slope, curve) {
  let most = Number.NEGATIVE_INFINITY;
  for (let row = from; row < to; row++) most = Math.max(most, score[row]);
  let total = 0;
  for (let row = from; row < to; row++) {
    curve[row] = Math.exp(score[row] - most);
    total += curve[row];
  }
  for (let row = from; row < to; row++) {
    curve[row] /= total;
    slope[row] = weight * curve[row];
  }
  for (const unit of units) {
    let sum = 1e-12;
    for (const row of unit) sum += curve[row];
    for (const row of unit) slope[row] -= (weight * curve[row]) / sum / units.length;
  }
  for (let row = from; row < to; row++) curve[row] = weight * curve[row] * (1 - curve[row]) + 1e-6 * weight;
}

/** @param {Examples} examples @param {number} column @param {number} bins */
function findCuts({ width, values }, column, bins) {
  const step = Math.max(1, Math.floor(values.length / width / 40_000));
  const some = [];
  for (let at = column; at < values.length; at += width * step) some.push(/** @type {number} */ (values[at]));
  some.sort((a, b) => a - b);
  const cuts = new Set();
  for (let bin = 1; bin < bins; bin++) {
    const at = Math.floor((bin * some.length) / bins);
    if (some[at] > some[0]) cuts.add(some[at]);
  }
  return /** @type {number[]} */ ([...cuts]);
}

/** The number of cuts that a value reaches. */
function binColumn(values, width, column, cuts) {
  const bins = new Uint8Array(values.length / width);
  for (let row = 0, at = column; row < bins.length; row++, at += width) {
    let [low, high] = [0, cuts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[at] >= cuts[middle]) low = middle + 1;
      else high = middle;
    }
    bins[row] = low;
  }
  return bins;
}

/** Splits all nodes of a level at once. A node without a useful split gets one that sends everything to the left. */
function grow(rows, columns, binned, slope, curve, { depth, bins, lambda, least, rate }) {
  const feature = [];
  const bin = [];
  const place = new Int32Array(rows.length);
  for (let level = 0; level < depth; level++) {
    const nodes = 2 ** level;
    const best = Array.from({ length: nodes }, () => ({ gain: 1e-9, column: 0, bin: 255 }));
    for (const column of columns) {
      const own = binned[column];
      const [g, h] = [new Float64Array(nodes * bins), new Float64Array(nodes * bins)];
      for (let at = 0; at < rows.length; at++) {
        const row = rows[at];
        const cell = place[at] * bins + own[row];
        g[cell] += slope[row];
        h[cell] += curve[row];
      }
      for (let node = 0; node < nodes; node++) {
        let [totalG, totalH] = [0, 0];
        for (let k = 0; k < bins; k++) {
          totalG += g[node * bins + k];
          totalH += h[node * bins + k];
        }
        const whole = totalG ** 2 / (totalH + lambda);
        let [leftG, leftH] = [0, 0];
        for (let k = 0; k + 1 < bins; k++) {
          leftG += g[node * bins + k];
          leftH += h[node * bins + k];
          if (leftH < least || totalH - leftH < least) continue;
          const gain = leftG ** 2 / (leftH + lambda) + (totalG - leftG) ** 2 / (totalH - leftH + lambda) - whole;
          if (gain > best[node].gain) best[node] = { gain, column, bin: k + 1 };
        }
      }
    }
    for (const { column, bin: cut } of best) {
      feature.push(column);
      bin.push(cut);
    }
    for (let at = 0; at < rows.length; at++) {
      const { column, bin: cut } = best[place[at]];
      place[at] = place[at] * 2 + (binned[column][rows[at]] >= cut ? 1 : 0);
    }
  }
  const leaves = 2 ** depth;
  const [g, h] = [new Float64Array(leaves), new Float64Array(leaves)];
  for (let at = 0; at < rows.length; at++) {
    g[place[at]] += slope[rows[at]];
    h[place[at]] += curve[rows[at]];
  }
  return { feature, bin, value: Array.from(g, (sum, leaf) => (-rate * sum) / (h[leaf] + lambda)) };
}

/** @param {{ feature: number[], bin: number[] }} tree @param {number} depth @param {(column: number) => number} binOf */
export function findLeaf(tree, depth, binOf) {
  let place = 0;
  for (let level = 0; level < depth; level++) {
    const node = 2 ** level - 1 + place;
    place = place * 2 + (binOf(tree.feature[node]) >= tree.bin[node] ? 1 : 0);
  }
  return place;
}

/** The sum of all trees for each row. */
export function scoreRows({ depth, cuts, trees }, values, width) {
  const binned = cuts.map((own, column) => binColumn(values, width, column, own));
  return Float64Array.from({ length: values.length / width }, (_, row) => {
    let sum = 0;
    for (const tree of trees) sum += tree.value[findLeaf(tree, depth, (column) => binned[column][row])];
    return sum;
  });
}
