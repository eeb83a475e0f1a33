// Tables for people: absolute figures with their ratio to the bare server beside them.

/** @param {number} value @param {number} digits */
function formatNumber(value, digits) {
  if (Number.isNaN(value)) return '-';
  const [whole, fraction] = value.toFixed(digits).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction ? `${grouped}.${fraction}` : grouped;
}

/** @param {number} ratio */
function formatRatio(ratio) {
  return `${ratio.toFixed(ratio < 10 ? 2 : 1)}x`;
}

/** @param {import('./statistics.mjs').Table} table */
export function formatTable({ title, columns, rows, note }) {
  const head = ['', ...columns.flatMap(({ title: name, ratio }) => (ratio ? [name, 'ratio'] : [name]))];
  const body = rows.map(({ server, figures, ratios }) => [
    server,
    ...columns.flatMap(({ key, digits, ratio }) => {
      const figure = formatNumber(figures[key], digits);
      return ratio ? [figure, ratios[key] === undefined ? '-' : formatRatio(ratios[key])] : [figure];
    }),
  ]);
  const widths = head.map((cell, column) => Math.max(cell.length, ...body.map((row) => row[column].length)));
  const lines = [head, ...body].map((row) =>
    row.map((cell, column) => (column ? cell.padStart(widths[column]) : cell.padEnd(widths[0]))).join('   '),
  );
  return [title, ...lines.map((line) => `  ${line}`), ...(note ? [`  (${note})`] : []), ''].join('\n');
}
