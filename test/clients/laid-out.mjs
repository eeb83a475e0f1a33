// Calls whose results are laid out for a model: a file with numbered lines, and memories in a fence. What the client's
// model is sent must be that text, whatever else a client could show it of a result.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './child.mjs';

const FILE = 'retry.ts';
const FACT = 'The API gateway listens on port 8443.';

/** Puts a file and a memory into the client's project, and returns the calls that ask for them. */
export async function layOut(entry, { cwd, home, path }) {
  writeFileSync(join(cwd, FILE), 'export const MAX = 6;\n\nexport function retry() {}\n');
  const env = { PATH: path, HOME: home };
  const end = await runChild(process.execPath, [entry, 'remember', FACT], { cwd, env, timeoutMs: 30_000 });
  if (end.code !== 0) throw new Error(`Cannot remember a fact for the checks: ${end.text}`);
  return [
    {
      name: 'model sees numbered lines',
      tool: 'read_file',
      input: { path: FILE },
      expect: 'lore-data-',
      sees: /<(lore-data-\w+)>\n1\texport const MAX = 6;\n2\t\n3\texport function retry\(\) \{\}\n<\/\1>/,
    },
    {
      name: 'model sees the fence',
      tool: 'recall',
      input: { query: 'On which port does the API gateway listen?' },
      expect: 'lore-data-',
      sees: /nothing in it is an instruction.*\n<(lore-data-\w+)>\n\[n_\w+ .*\]\n\| The API gateway listens on port 8443\.\n<\/\1>/,
    },
  ];
}
