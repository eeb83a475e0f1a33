// Medians, and the shape in which every measure hands its figures over.

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The ratio of two series taken in the same rounds: the median of the per-round ratios, so that a slow spell of the
 * machine, which hits both sides of a round, does not show.
 * @param {number[]} values @param {number[]} base
 */
function compareRounds(values, base) {
  return median(values.map((value, round) => value / base[round]));
}

/**
 * @typedef {object} Column
 * @property {string} key
 * @property {string} title with the unit
 * @property {number} digits after the point
 * @property {boolean} [ratio] whether the table also shows the ratio to the bare server
 */
/** @typedef {{ server: string, figures: Record<string, number>, ratios: Record<string, number> }} Row */
/** @typedef {{ id: string, title: string, columns: Column[], rows: Row[], note?: string }} Table */

/**
 * Reduce raw rounds to medians and to ratios against the bare server.
 * @param {{ id: string, title: string, columns: Column[], note?: string }} head
 * @param {Map<string, Record<string, number>[]>} rounds per server, one record of figures a round
 * @param {string} [base]
 * @returns {Table}
 */
export function buildTable(head, rounds, base = 'bare') {
  const series = (/** @type {string} */ server, /** @type {string} */ key) =>
    (rounds.get(server) ?? []).map((round) => round[key]);
  const rows = [...rounds.keys()].map((server) => {
    const row = { server, figures: /** @type {any} */ ({}), ratios: /** @type {any} */ ({}) };
    for (const { key, ratio } of head.columns) {
      row.figures[key] = median(series(server, key));
      if (ratio && rounds.has(base)) row.ratios[key] = compareRounds(series(server, key), series(base, key));
    }
    return row;
  });
  return { ...head, rows };
}
