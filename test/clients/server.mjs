// The server under test: ours as built, unless another one's command or address is given. A transport without an
// address is `undefined`, and its checks are skipped.
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort, startService } from './child.mjs';

export async function openServer({ root, folder, command, url }) {
  if (command || url) {
    return { stdio: command && splitCommand(command), http: url, sse: url && `${url}/sse`, close() {} };
  }
  const entry = copyPackage(root, join(folder, 'package'));
  const port = await findFreePort();
  const home = join(folder, 'server');
  mkdirSync(home, { recursive: true });
  const service = await startService(process.execPath, [entry, 'serve', '--port', String(port)], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
    port,
  });
  const http = `http://127.0.0.1:${port}/mcp`;
  // The server keeps the Node of this program, so one run covers an old Node below and a new one in the clients.
  return { entry, stdio: [process.execPath, entry, 'stdio'], http, sse: `${http}/sse`, ...service };
}

// A copy of what would be published: a build meanwhile does not disturb, and a file missing from the package shows.
function copyPackage(root, target) {
  if (!existsSync(join(root, 'dist', 'main.cjs')))
    throw new Error('Cannot start the server: run `npm run build` first');
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of ['package.json', ...files].filter((one) => existsSync(join(root, one)))) {
    cpSync(join(root, name), join(target, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(target, 'node_modules'));
  return join(target, 'bin', 'lore.cjs');
}

function splitCommand(text) {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare);
}
