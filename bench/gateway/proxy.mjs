// The least that a proxy can do: parse each line and write it on. It starts the bare server.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const server = spawn(process.execPath, [join(import.meta.dirname, 'upstream.mjs')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const pass = (from, to) =>
  createInterface({ input: from }).on('line', (line) => to.write(`${JSON.stringify(JSON.parse(line))}\n`));
pass(process.stdin, server.stdin).on('close', () => server.kill());
pass(server.stdout, process.stdout);
