// Measures of sync, each with a real git: `histories` of five devices, `kills` of a sync at every git command, `coexistence` with the
// user's repository, `privacy` of the remote, `scale`, a remote with many small `files`, and `real` histories.
// node bench/sync/main.mjs [histories|kills|coexistence|privacy|scale|files|real] [COUNT] [--clones FOLDER]
import { parseArgs } from 'node:util';
import { runBundled } from '../bundle.mjs';
import { readCases } from '../quality/redaction/cases.mjs';

const measures = ['histories', 'kills', 'coexistence', 'privacy', 'scale', 'files', 'real'];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { clones: { type: 'string', default: '' } },
});
const [what, count] = positionals;
const chosen = what === undefined ? measures : measures.filter((name) => name === what);
if (chosen.length === 0) throw new Error(`Unknown measure "${what}": expected ${measures.join(', ')}`);
for (const name of chosen) {
  const options = {
    ...(count !== undefined && { count: Number(count) }),
    ...(name === 'privacy' && { texts: readSecrets() }),
    ...(name === 'real' && { clones: values.clones }),
  };
  const result = await runBundled(`bench/sync/${name}.ts`, options);
  console.log(name, JSON.stringify(result, undefined, 1));
  if (result.failed > 0) process.exitCode = 1;
}

/** Texts with labelled secrets. */
function readSecrets() {
  const parts = /** @type {const} */ (['tune', 'held', 'fresh', 'last']);
  return parts.flatMap(readCases).flatMap(({ text, labels }) => (labels.length > 0 ? [text] : []));
}
