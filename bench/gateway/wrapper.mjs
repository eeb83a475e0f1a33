// Starts the bare server as npx and uvx do, as a child that shares its input and output; both ignore the request to end.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

process.on('SIGTERM', () => {});
const file = join(import.meta.dirname, 'upstream.mjs');
// Kept alive by a timer, whatever happens to its input.
const code = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); import(${JSON.stringify(file)})`;
spawn(process.execPath, ['-e', code, ...process.argv.slice(2)], { stdio: 'inherit' });
setInterval(() => {}, 1_000);
