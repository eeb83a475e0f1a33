// The pages inside a chat, in the Apps tab of the protocol's own Inspector, with a real browser: every tool that opens a page is
// opened there, and the page calls further tools through the Inspector.
// LORE_CHROMIUM=… node test/clients/apps.mjs [--screenshots FOLDER] [--cache DIR]
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { chromium } from 'playwright-core';
import { findFreePort, startService } from './child.mjs';
import { inspector } from './inspector.mjs';
import { getDefaultCache, installClient, installNode } from './install.mjs';
import { openServer } from './server.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const TOKEN = 'apps-test';

/** The title of each tool that opens a page, its arguments, and what the page shows. */
const APPS = [
  ['Recall', { query: 'when do we deploy' }, 'Deploys run on Tuesday.'],
  ['Recent memories', {}, 'Deploys run on Tuesday.'],
  ['List checkpoints', {}, 'session store'],
  ['Search checkpoints', { query: 'session' }, 'session store'],
  ['Resume a checkpoint', {}, 'Delete the Redis client.'],
  ['Search remediations', { error_msg: 'connect ECONNREFUSED' }, 'Run make db.'],
  ['Search skills', {}, 'deploy'],
  ['List collections', {}, 'handbook'],
  ['Search collections', { query: 'on call' }, 'Answer within ten minutes.'],
  ['Query context', { query: 'deploy' }, 'Deploys run on Tuesday.'],
  ['Map a repository', {}, 'the home folder is not a project'],
  ['Memory statistics', {}, 'By knowledge'],
  ['Server status', {}, 'Services'],
];

const ENTRIES = [
  ['remember', { content: 'Deploys run on Tuesday.', knowledge: 'rule' }],
  ['checkpoint_save', { name: 'session store', content: 'Delete the Redis client.' }],
  ['remediation_save', { error_msg: 'Error: connect ECONNREFUSED 127.0.0.1:5433', solution: 'Run make db.' }],
  ['skill_save', { name: 'deploy', description: 'Deploy the service', content: '# Deploy' }],
  ['collection_create', { collection_name: 'handbook', description: 'How we work' }],
  ['collection_ingest', { collection_name: 'handbook', title: 'on-call.md', content: 'Answer within ten minutes.' }],
];

const { values } = parseArgs({
  options: { screenshots: { type: 'string' }, cache: { type: 'string', default: getDefaultCache() } },
});
const executablePath = process.env.LORE_CHROMIUM;
if (!executablePath) throw new Error('Set LORE_CHROMIUM to the path of a Chromium');
if (values.screenshots) mkdirSync(values.screenshots, { recursive: true });

const folder = mkdtempSync(join(tmpdir(), 'lore-apps-'));
const closing = [() => rmSync(folder, { recursive: true, force: true })];
try {
  const node = await installNode(values.cache);
  const program = (await installClient(values.cache, inspector, node))(inspector.bin);
  const server = await openServer({ root: ROOT, folder });
  closing.unshift(() => server.close());
  await fill(server.http);
  const port = await findFreePort();
  const sandbox = await findFreePort();
  const service = await startService(node, [program, '--web', '--transport', 'http', '--server-url', server.http], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      CLIENT_PORT: String(port),
      MCP_SANDBOX_PORT: String(sandbox),
      MCP_INSPECTOR_API_TOKEN: TOKEN,
      MCP_AUTO_OPEN_ENABLED: 'false',
    },
    port,
  });
  closing.unshift(() => service.close());
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  closing.unshift(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
  page.setDefaultTimeout(60_000);
  await page.goto(`http://127.0.0.1:${port}/?MCP_INSPECTOR_API_TOKEN=${TOKEN}`);
  await page.getByRole('switch', { name: /^Connect/ }).click({ force: true });
  await page.getByText('Apps', { exact: true }).click();
  await page.getByText(`MCP Apps (${APPS.length})`).waitFor();
  for (const app of APPS) await check(page, ...app);
} finally {
  for (const close of closing) await close();
}

async function check(page, title, args, expected) {
  await page.getByRole('button', { name: new RegExp(`^${title}`) }).click();
  const form = page.getByRole('button', { name: 'Open App' });
  // A tool without required arguments may open at once.
  for (const [name, value] of Object.entries(args)) await page.getByLabel(name, { exact: false }).first().fill(value);
  if (await form.isVisible()) await form.click();
  const inside = page.frameLocator('iframe').frameLocator('iframe');
  await inside.locator('main', { hasText: expected }).waitFor();
  await inside.locator('main[aria-busy="false"]').waitFor();
  if (title === 'Recent memories') await callFurther(inside);
  if (values.screenshots)
    await page.screenshot({ path: join(values.screenshots, `${title.replaceAll(' ', '-')}.png`) });
  console.log(`ok   ${title}`);
  await page.getByRole('button', { name: 'Close', exact: true }).first().click();
}

/** Through the host, a tool that it hides from its model. */
async function callFurther(inside) {
  await inside.getByRole('combobox', { name: 'View' }).selectOption({ label: 'Timeline' });
  await inside.locator('.row', { hasText: 'session store' }).waitFor();
}

async function fill(url) {
  const client = new Client({ name: 'apps-test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  for (const [name, args] of ENTRIES) {
    const { isError, content } = await client.callTool({ name, arguments: args });
    if (isError) throw new Error(`Cannot call ${name}: ${content[0].text}`);
  }
  await client.close();
}
