// The learned ranking: boosted regression trees over the features of a candidate. tools/rank fits them; its README.md says on what,
// and how good they are.
import { weights } from './weights.ts';

interface Forest {
  /** By tree and level order. */
  features: Uint8Array;
  thresholds: Float32Array;
  /** By tree and leaf. */
  values: Float32Array;
}

let forest: Forest | undefined;

/** How much the trees add to each candidate's score; comparable among the candidates of one query. */
export function scoreByTrees(rows: readonly Float32Array[]): number[] {
  forest ??= readForest();
  const { features, thresholds, values } = forest;
  const leaves = 2 ** weights.depth;
  return rows.map((row) => {
    let sum = 0;
    for (let node = 0, leaf = 0; leaf < values.length; node += leaves - 1, leaf += leaves) {
      let place = 0;
      for (let level = 0, first = 0; level < weights.depth; level++, first = 2 * first + 1) {
        const at = node + first + place;
        place = 2 * place + ((row[features[at] as number] as number) >= (thresholds[at] as number) ? 1 : 0);
      }
      sum += values[leaf + place] as number;
    }
    return sum;
  });
}

function readForest(): Forest {
  const { counts, trees, depth, step } = weights;
  const cuts = Buffer.from(weights.cuts, 'base64');
  const firsts: number[] = [];
  counts.reduce((sum, count, feature) => {
    firsts[feature] = sum;
    return sum + count;
  }, 0);
  // The first cut of a feature is number 1; a number without a cut sends everything to the left.
  const cutOf = (feature: number, number: number) =>
    number > (counts[feature] as number)
      ? Number.POSITIVE_INFINITY
      : cuts.readFloatLE(4 * ((firsts[feature] as number) + number - 1));
  const nodes = 2 ** depth - 1;
  const bytes = Buffer.from(trees, 'base64');
  const count = bytes.length / (2 * nodes + 2 * (nodes + 1));
  const features = new Uint8Array(count * nodes);
  const thresholds = new Float32Array(count * nodes);
  const values = new Float32Array(count * (nodes + 1));
  let at = 0;
  for (let tree = 0; tree < count; tree++) {
    for (let node = tree * nodes; node < (tree + 1) * nodes; node++) {
      features[node] = bytes.readUInt8(at++);
      thresholds[node] = cutOf(features[node] as number, bytes.readUInt8(at++));
    }
    for (let leaf = tree * (nodes + 1); leaf < (tree + 1) * (nodes + 1); leaf++, at += 2) {
      values[leaf] = bytes.readInt16LE(at) * step;
    }
  }
  return { features, thresholds, values };
}
