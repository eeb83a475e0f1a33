// The report: one row for each client, transport and check, with the line that proves it.
const EVIDENCE = 110;

function cut(text, length) {
  const line = String(text).replaceAll(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

export function formatRow({ transport, check, outcome, evidence }) {
  return `${outcome.padEnd(4)} ${transport.padEnd(5)} ${check}: ${cut(evidence, EVIDENCE)}`;
}

export function formatTable(rows, clients) {
  const versions = new Map(clients.map(({ id, version }) => [id, version]));
  const head = ['client', 'version', 'transport', 'check', 'result', 'evidence'];
  const lines = rows.map(({ client, transport, check, outcome, evidence }) => [
    client,
    versions.get(client) ?? '',
    transport,
    check,
    outcome,
    cut(evidence, EVIDENCE),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => line[column].length)));
  const format = (line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd();
  const count = (outcome) => rows.filter((row) => row.outcome === outcome).length;
  const total = `${count('ok')} ok, ${count('FAIL')} failed, ${count('SKIP')} skipped`;
  return ['', format(head), format(widths.map((width) => '-'.repeat(width))), ...lines.map(format), '', total].join(
    '\n',
  );
}

/** A failure in full: all the evidence, and the end of what was said on the wire. */
export function formatWire({ client, transport, check, evidence, wire = [] }) {
  const said = wire.slice(-12).map((line) => `    ${cut(line, 2_000)}`);
  return ['', `FAIL ${client} ${transport} ${check}`, `  ${cut(evidence, 2_000)}`, ...said].join('\n');
}
