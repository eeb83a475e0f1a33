// Pictures of every view of the dashboard, in both themes and three widths, from a project with example entries.
// LORE_CHROMIUM=… node scripts/screenshots.mjs FOLDER      writes all of them
// LORE_CHROMIUM=… node scripts/screenshots.mjs --docs      writes those of the guide
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const [target = ''] = process.argv.slice(2);
const executablePath = process.env.LORE_CHROMIUM;
if (!executablePath || target === '') throw new Error('Set LORE_CHROMIUM, and name a folder or --docs');

const memories = [
  { content: 'Run `make db` before the tests: it starts PostgreSQL on port 5433.', kind: 'procedural' },
  { content: 'CI refuses any lockfile but pnpm-lock.yaml.', knowledge: 'convention', tags: ['ci'] },
  {
    content: 'The API answers 429 with Retry-After above 100 requests a second per tenant; clients must back off.',
    knowledge: 'gotcha',
    tags: ['api', 'limits'],
  },
  {
    content: 'Sessions are stored in PostgreSQL since March, because a failover of Redis lost logins.',
    knowledge: 'architecture',
    tags: ['storage'],
  },
  { content: 'Pull requests have one commit and one reviewer.', kind: 'preference' },
  {
    content: 'The nightly export failed on 2 November: the certificate of the mail relay had expired.',
    kind: 'episodic',
  },
  { content: 'Feature flags are read at start, so a change of one needs a restart.', knowledge: 'gotcha' },
  { content: 'Error messages name the action, the value and the reason, in this order.', knowledge: 'pattern' },
  {
    content: 'Deploys run on Tuesday at 10:00 UTC from the release branch, never on Friday.',
    knowledge: 'rule',
    tags: ['release'],
    source: 'claude-code',
  },
  { content: 'Deploys run on Wednesday at 09:00 UTC.', knowledge: 'rule', tags: ['release'], source: 'codex' },
];

const folder = mkdtempSync(join(tmpdir(), 'lore-screenshots-'));
const project = join(folder, 'shop');
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  LORE_DB: join(folder, 'lore.db'),
  LORE_CONFIG: join(folder, 'config.json'),
  LORE_RANK: 'fast',
  LOG_LEVEL: 'error',
};
const lore = join(root, 'bin/lore.cjs');
mkdirSync(project);
for (const name of ['core', 'files', 'search'])
  cpSync(join(root, 'src', name), join(project, 'src', name), { recursive: true });

function open(port) {
  return spawn(process.execPath, [lore, 'open', '--json', '--port', String(port)], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 2],
  });
}

async function readLink(child) {
  let text = '';
  child.stdout.on('data', (part) => {
    text += part;
  });
  while (!text.includes('}')) await once(child.stdout, 'data');
  return new URL(JSON.parse(text).url);
}

async function connect(link) {
  const headers = { Origin: link.origin, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ key: new URLSearchParams(link.hash.slice(1)).get('k') });
  const answer = await fetch(`${link.origin}/ui/session`, { method: 'POST', headers, body });
  const session = {
    ...headers,
    Cookie: answer.headers.get('set-cookie').split(';')[0],
    'Lore-Page': (await answer.json()).token,
  };
  return async (tool, args) => {
    const asked = JSON.stringify({ tool, arguments: args, project });
    return (await fetch(`${link.origin}/ui/call`, { method: 'POST', headers: session, body: asked })).json();
  };
}

async function fill(call) {
  const ids = [];
  for (const memory of memories) ids.push((await call('remember', memory)).id);
  const deploy = ids.at(-2);
  const { whole } = await call('recall', { query: deploy });
  const text = `${whole.text} The canary runs for ten minutes first.`;
  await call('memory_edit', { id: deploy, text, hash: whole.hash });
  await call('forget', { id: ids[6] });
  await call('checkpoint_save', {
    name: 'session store',
    content: 'Sessions are in PostgreSQL. Next: delete the Redis client.',
  });
  await call('remediation_save', {
    error_msg: 'Error: connect ECONNREFUSED 127.0.0.1:5433',
    solution: 'Run `make db` first.',
  });
  await call('skill_save', {
    name: 'deploy',
    description: 'Deploy the service',
    content: '# Deploy\n\n1. Tag\n2. Push\n3. Watch the canary',
  });
  await call('collection_create', { collection_name: 'handbook', description: 'How we work' });
  await call('collection_ingest', {
    collection_name: 'handbook',
    title: 'on-call.md',
    content: '# On call\n\nAnswer within ten minutes.',
  });
  return { deploy };
}

async function visit(page, address) {
  await page.goto(address);
  await page.waitForSelector('h1, .detail .head', { state: 'attached' });
  // The list of projects comes last.
  await page.waitForSelector('select.project');
  await page.waitForSelector('main[aria-busy="false"]');
}

const server = open(0);
try {
  const link = await readLink(server);
  const call = await connect(link);
  const { deploy } = await fill(call);
  execFileSync(process.execPath, [lore, 'index', 'repository'], { cwd: project, env });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage();
  await page.goto((await readLink(open(link.port))).href);
  await page.waitForSelector('.row');
  const views = {
    memories: 'memories',
    search: 'memories?q=when+do+we+deploy',
    entry: `memories/${deploy}?q=when+do+we+deploy`,
    timeline: 'timeline',
    checkpoints: 'checkpoints',
    fixes: 'fixes',
    skills: 'skills/deploy',
    collections: 'collections?q=on+call',
    graph: `graph/${deploy}`,
    code: 'code',
    projects: 'projects',
    operations: 'operations',
    sources: 'sources',
    permissions: 'permissions',
    audit: 'audit',
    statistics: 'statistics',
  };
  const take = async (name, theme, width, file) => {
    await page.setViewportSize({ width, height: width === 360 ? 720 : 800 });
    await page.emulateMedia({ colorScheme: theme });
    const address = new URL(`${link.origin}/ui/${views[name]}`);
    address.searchParams.set('project', project);
    await visit(page, address.href);
    await page.screenshot({ path: file });
  };
  if (target === '--docs') {
    const docs = join(root, 'docs/guide/images');
    mkdirSync(docs, { recursive: true });
    await take('search', 'light', 1440, join(docs, 'dashboard-search.png'));
    await take('entry', 'dark', 1440, join(docs, 'dashboard-entry-dark.png'));
    await take('code', 'light', 768, join(docs, 'dashboard-code.png'));
  } else {
    mkdirSync(target, { recursive: true });
    for (const name of Object.keys(views)) {
      for (const theme of ['light', 'dark']) {
        for (const width of [360, 768, 1440])
          await take(name, theme, width, join(target, `${name}-${theme}-${width}.png`));
      }
    }
  }
  await browser.close();
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
