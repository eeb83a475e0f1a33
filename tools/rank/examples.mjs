// Reads described examples, and measures an order of their candidates.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ type: string, round: string, evidence: number, gold: number, right: number[], session: number[] }} Group */
/** @typedef {{ name: string, names: string[], groups: Group[], values: Float32Array }} Set */

/** @param {string} folder @param {string} name @returns {Set} */
export function readSet(folder, name) {
  const bytes = readFileSync(join(folder, `${name}.bin`));
  const values = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  return { name, ...JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')), values };
}

/** Figures of a set, in percent. @param {Set} set @param {(from: number, to: number) => ArrayLike<number>} scoreOf */
export function measure(set, scoreOf, fits = (/** @type {Group} */ _group) => true) {
  /** @type {Record<string, number>} */
  const sums = {};
  let [from, count] = [0, 0];
  for (const group of set.groups) {
    const to = from + group.right.length;
    const scores = scoreOf(from, to);
    from = to;
    if (!fits(group)) continue;
    count++;
    const order = group.right.map((_, at) => at).sort((a, b) => scores[b] - scores[a] || a - b);
    const sessions = [...new Set(order.map((at) => group.session[at]))];
    const first = (/** @type {number} */ k) => sessions.slice(0, k).filter((session) => session < group.gold).length;
    const figures =
      group.evidence > 0
        ? {
            'R@10': order.slice(0, 10).reduce((sum, at) => sum + group.right[at], 0) / group.evidence,
            's@5': first(5) / group.gold,
            'R@1': Math.min(1, group.right[order[0]] ?? 0),
          }
        : {
            'any@1': Math.min(1, first(1)),
            'any@5': Math.min(1, first(5)),
            'all@5': Number(first(5) === group.gold),
            'all@10': Number(first(10) === group.gold),
          };
    for (const [name, value] of Object.entries(figures)) sums[name] = (sums[name] ?? 0) + 100 * value;
  }
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, Math.round((10 * sum) / count) / 10]));
}
