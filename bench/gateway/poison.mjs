// Suspicious descriptions of tools: recall and false alarms on mcpproxy-go's labelled set, and false alarms on its set of real tools.
// Takes a clone of that repository (a bare one will do), and files with further tools: [{ label?, server?, tool }].
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadBundled } from '../bundle.mjs';

const folder = 'specs/065-evaluation-foundation/datasets';

export async function measurePoison(repository, ...files) {
  if (repository === undefined) throw new Error('Name a clone of smart-mcp-proxy/mcpproxy-go');
  const read = (file) =>
    JSON.parse(
      execFileSync('git', ['-C', repository, 'show', `HEAD:${folder}/${file}`], {
        encoding: 'utf8',
        maxBuffer: 1 << 26,
      }),
    );
  const { findPoison } = await loadBundled('src/services/gateway/trust/poison.ts');
  const counts = { found: 0, missed: 0, alarms: 0, quiet: 0 };
  for (const { id, label, server, tool, peers = [] } of read('detect_corpus_v1.json').entries) {
    const others = peers.map((peer) => ({ server: peer.server, ...peer.tool }));
    const isFound = findPoison(tool, server, others).length > 0;
    const isAttack = label === 'malicious';
    counts[isAttack ? (isFound ? 'found' : 'missed') : isFound ? 'alarms' : 'quiet']++;
    if (isFound !== isAttack) console.log(`${isAttack ? 'missed' : 'false alarm'}: ${id}`);
  }
  console.log(`attacks: ${counts.found} of ${counts.found + counts.missed} found`);
  console.log(`others: ${counts.alarms} of ${counts.alarms + counts.quiet} false alarms`);
  const real = read('corpus_v1.tools.json').tools.map(({ server, tool: name, description }) => ({
    server,
    name,
    description,
  }));
  const alarms = real.filter((tool) => findPoison(tool, tool.server, real).length > 0);
  console.log(
    `real tools: ${alarms.length} of ${real.length} false alarms ${alarms.map(({ name }) => name).join(', ')}`,
  );
  for (const file of files) judge(file, findPoison);
}

function judge(file, findPoison) {
  const rows = JSON.parse(readFileSync(file, 'utf8'));
  const peersOf = (server) =>
    rows.flatMap((row) => (row.server === server ? [] : [{ server: row.server, description: '', ...row.tool }]));
  const counts = {};
  for (const { label = 'benign', server = '', tool } of rows) {
    const found = findPoison(tool, server, server === '' ? [] : peersOf(server));
    counts[label] ??= { found: 0, of: 0 };
    counts[label].of++;
    if (found.length > 0) counts[label].found++;
    if (found.length > 0 !== (label === 'malicious')) console.log(`${label}: ${tool.name} ${found[0]?.text ?? ''}`);
  }
  console.log(file, counts);
}
