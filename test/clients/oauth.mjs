// Logins of real programs: an authorization server on this machine, a server of ours that accepts its tokens, and a browser that
// agrees at once. A program knows nothing but the address of our server, and each is another person.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { findFreePort, startService } from './child.mjs';
import { openHttpTap, readWire } from './tap.mjs';

export const tool = 'remember';
const [reading, usual] = ['lore:read', 'lore:read lore:write'];

export async function openOAuth({ root, folder, entry }) {
  const home = join(folder, 'oauth');
  mkdirSync(home);
  const outfile = join(home, 'issuer.mjs');
  const entryPoints = [join(root, 'test/support/token-issuer.ts')];
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  const { openTokenIssuer } = await import(pathToFileURL(outfile).href);
  const port = await findFreePort();
  const log = join(home, 'wire');
  const tap = await openHttpTap(`http://127.0.0.1:${port}/mcp`, log);
  const { url } = tap;
  const issuer = await openTokenIssuer(url);
  const env = { PATH: process.env.PATH, HOME: home };
  const service = await startService(process.execPath, [entry, 'serve', '--port', String(port)], {
    cwd: home,
    env: { ...env, LORE_OAUTH_ISSUER: issuer.lab.origin, LORE_OAUTH_RESOURCE: url },
    port,
  });
  const run = promisify(execFile);
  return {
    url,
    issuer,
    /** What was said to our server and by it. */
    readLines: () => readWire(log).lines,
    browser: writeBrowser(join(home, 'browser')),
    lore: async (...args) => (await run(process.execPath, [entry, ...args], { cwd: home, env })).stdout,
    close() {
      service.close();
      tap.close();
      issuer.lab.server.close();
    },
  };
}

/** Programs find a browser by its usual name, or in a variable. */
function writeBrowser(folder) {
  mkdirSync(folder);
  for (const name of ['xdg-open', 'open'])
    writeFileSync(join(folder, name), `#!${process.execPath}\nfetch(process.argv[2]);\n`, { mode: 0o755 });
  return folder;
}

/**
 * `login()` logs in anew, and `call(content)` calls the tool and returns the words in which the program shows its answer. `widen(content)`
 * does so although the login allowed only reading.
 */
export async function checkOAuth(bench, person, { login, call, widen }) {
  const { url, issuer, lore, readLines } = bench.oauth;
  const { lab } = issuer;
  const mint = (claims) => (asked) =>
    issuer.token({ sub: person, aud: asked.get('resource'), scope: asked.get('scope') ?? '', ...claims });
  const check = (name, body) =>
    bench.check('http', `oauth: ${name}`, async (row) => {
      const content = `The walrus of ${person} learned about the ${name}.`;
      const [seen, refreshed, heard] = [lab.server.requests.length, lab.refreshed, readLines().length];
      [lab.mint, lab.granted] = [mint(), undefined];
      const said = () => readLines().slice(heard);
      const shown = await body(content, said).catch((error) => {
        row.wire = said();
        throw error;
      });
      await findChange(lore, content, `person:${person}`);
      const logins = lab.server.requests.slice(seen).flatMap(readLogin);
      const wrong = logins.find(({ resource, method }) => resource !== url || method !== 'S256');
      const last = logins.at(-1)?.scope;
      if (wrong || last !== usual) throw new Error(`it logged in with ${JSON.stringify(wrong ?? logins)}`);
      const renewed = lab.refreshed > refreshed ? ', refreshed' : '';
      return `asked for ${logins.map(({ scope }) => scope).join(', then ')}${renewed}: ${shown}`;
    });
  await check('call', async (content, said) => {
    await login();
    const lines = said().join('\n');
    // Refused, it reads where people log in.
    if (!/< 401 .*> GET \/\.well-known\/oauth-protected-resource\/mcp/s.test(lines)) throw new Error('it did not ask');
    return call(content);
  });
  await check('refresh', async (content) => {
    const before = lab.refreshed;
    // The first token has expired; the program believes the lifetime that it was told.
    lab.mint = (asked) => {
      lab.mint = mint();
      return mint({ exp: Math.floor(Date.now() / 1000) - 60 })(asked);
    };
    await login();
    const shown = await call(content);
    if (lab.refreshed !== before + 1) throw new Error(`it refreshed ${lab.refreshed - before} times: ${shown}`);
    return shown;
  });
  await check('further scope', async (content, said) => {
    lab.granted = reading;
    await login();
    lab.granted = undefined;
    const shown = await widen(content);
    if (!/< 403 /.test(said().join('\n'))) throw new Error('it was not refused');
    const refused = new RegExp(`forbidden +${tool} +person:${person}\\s+.*${content}`);
    if (!refused.test(await lore('audit'))) throw new Error('the first call is not in the audit log');
    return shown;
  });
}

/** What a program asked for in the browser. */
function readLogin({ line }) {
  if (!line.startsWith('GET /authorize?')) return [];
  const asked = new URL(line.slice('GET '.length), 'http://localhost').searchParams;
  return [{ scope: asked.get('scope'), resource: asked.get('resource'), method: asked.get('code_challenge_method') }];
}

/** The history names the person. */
async function findChange(lore, content, actor) {
  const rows = (await lore('export'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const stored = rows.find(({ node }) => node?.includes(content));
  if (!stored) throw new Error(`"${content}" was not stored`);
  const changes = rows.filter(({ change }) => change?.[1] === stored.node[0]).map(({ change }) => change[4]);
  if (changes.join() !== actor) throw new Error(`${changes.join()} stored it, not ${actor}`);
}

/** The environment in which a program finds the browser. */
export function withBrowser({ oauth, path }, more = {}) {
  const { browser } = oauth;
  return { PATH: [browser, path].join(delimiter), BROWSER: join(browser, 'xdg-open'), DISPLAY: ':0', ...more };
}
