// The project's own bounds, checked against the tables of this run. A bound whose table was not taken is "not measured".

/** @typedef {{ table: (id: string, server: string) => import('./statistics.mjs').Row | undefined }} Results */
/** @typedef {{ text: string, limit: number, atLeast?: boolean, unit: string, read: (results: Results) => number | undefined }} Bound */

/** @param {string} text @param {number} limit @param {string} table @param {string} key @param {string} [server] @returns {Bound} */
function boundRatio(text, limit, table, key, server = 'lorekeeper') {
  return { text, limit, unit: 'x', read: (results) => results.table(table, server)?.ratios[key] };
}

/** @param {string} server @returns {Bound} */
function boundThroughput(server) {
  return {
    text: `HTTP throughput at 16 conn., ${server}, to SDK v2's better mode`,
    limit: 8,
    atLeast: true,
    unit: 'x',
    // Through the ratios to bare, which were taken round by round and so are steadier than the medians.
    read(results) {
      const ours = results.table('http-16', server)?.ratios.perSecond;
      const sdk = ['sdk-v2', 'sdk-v2 modern'].map((id) => results.table('http-16', id)?.ratios.perSecond ?? 0);
      return ours && ours / Math.max(...sdk);
    },
  };
}

/** @type {Bound[]} */
const bounds = [
  boundRatio('cold start to initialize, stdio', 1.3, 'cold-stdio', 'ms'),
  boundRatio('cold start to initialize, HTTP', 1.3, 'cold-http', 'ms'),
  {
    text: 'first validated tools/call, later than the second by',
    limit: 5,
    unit: ' ms',
    read: (results) => results.table('first', 'lorekeeper')?.figures.extra,
  },
  boundRatio('CPU per stdio call, pipelined', 1.6, 'stdio', 'cpuUs'),
  ...[1, 16, 64].flatMap((connections) =>
    ['lorekeeper', 'lorekeeper modern'].map((server) =>
      boundRatio(`CPU per HTTP call, ${server}, ${connections} conn.`, 1.5, `http-${connections}`, 'cpuUs', server),
    ),
  ),
  boundRatio('CPU per tools/list of 40, stdio', 1.3, 'stdio-list', 'cpuUs'),
  boundRatio('CPU per tools/list of 40, HTTP', 1.3, 'http-list', 'cpuUs'),
  boundThroughput('lorekeeper'),
  boundThroughput('lorekeeper modern'),
  {
    text: 'memory added by 10,000 idle sessions',
    limit: 60,
    unit: ' MB',
    // Taken per session, so that a quick run with fewer of them is judged by the same yardstick.
    read(results) {
      const kilobytes = results.table('sessions', 'lorekeeper')?.figures.perSession;
      return kilobytes === undefined ? undefined : (kilobytes * 10_000) / 1024;
    },
  },
];

/** @param {import('./statistics.mjs').Table[]} tables */
export function checkBounds(tables) {
  const results = {
    table: (/** @type {string} */ id, /** @type {string} */ server) =>
      tables.find((table) => table.id === id)?.rows.find((row) => row.server === server),
  };
  return bounds.map(({ text, limit, atLeast = false, unit, read }) => {
    const measured = read(results);
    const holds = measured === undefined ? undefined : atLeast ? measured >= limit : measured <= limit;
    return { text, bound: `${atLeast ? '>=' : '<='} ${limit}${unit}`, measured, unit, holds };
  });
}

/** @param {ReturnType<typeof checkBounds>} checks */
export function formatChecks(checks) {
  const lines = checks.map(({ text, bound, measured, unit, holds }) => {
    const word = holds === undefined ? 'not measured' : holds ? 'holds' : 'BROKEN';
    const figure = measured === undefined ? '-' : `${measured.toFixed(2)}${unit}`;
    return `  ${word.padEnd(12)}  ${text.padEnd(68)}  ${bound.padStart(10)}  ${figure.padStart(10)}`;
  });
  return ['Bounds', ...lines, ''].join('\n');
}
