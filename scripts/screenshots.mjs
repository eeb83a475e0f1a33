// Pictures of every view of the dashboard, in both themes and three widths, from a project with example entries.
// LORE_CHROMIUM=… node scripts/screenshots.mjs FOLDER      writes all of them
// LORE_CHROMIUM=… node scripts/screenshots.mjs --docs      writes those of the guide: one sheet for each view
// Names of views after it select some of them.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { age, fill } from './example-project.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [target = '', ...only] = process.argv.slice(2);
const executablePath = process.env.LORE_CHROMIUM;
if (!executablePath || target === '') throw new Error('Set LORE_CHROMIUM, and name a folder or --docs');

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
    const answer = await fetch(`${link.origin}/ui/call`, { method: 'POST', headers: session, body: asked });
    if (!answer.ok) throw new Error(`Cannot call ${tool}: ${await answer.text()}`);
    return answer.json();
  };
}

async function visit(page, address) {
  await page.goto(address);
  await page.waitForSelector('h1, .detail .head', { state: 'attached' });
  // The list of projects comes last.
  await page.waitForSelector('select.project');
  await page.waitForSelector('main[aria-busy="false"]');
}

/** Of the views, in the order of the navigation, with what they show. */
const titles = {
  memories: 'Memories',
  search: 'Search, with the reason for each result',
  entry: 'One memory',
  timeline: 'Timeline',
  checkpoints: 'Checkpoints, and what changed since',
  fixes: 'Fixes',
  skills: 'Skills',
  collections: 'Collections',
  graph: 'The graph around an entry',
  branches: 'A large graph, as small ones',
  code: 'The map of a code base',
  symbol: 'A symbol and its callers',
  projects: 'Projects',
  operations: 'Operations',
  sources: 'Sources, with a changed tool to review',
  permissions: 'Permissions',
  audit: 'Audit log',
  statistics: 'Statistics',
};
const widths = [1440, 768, 360];
const themes = ['light', 'dark'];

/** All pictures of a view on one sheet, at half their size. */
async function writeSheet(page, pictures, file) {
  const [gap, scale] = [16, 0.5];
  const data = await page.evaluate(
    async ({ sources, columns, gap, scale }) => {
      const images = await Promise.all(
        sources.map(async (source) => createImageBitmap(await (await fetch(source)).blob())),
      );
      const row = images.slice(0, columns);
      const canvas = document.createElement('canvas');
      canvas.width = row.reduce((sum, { width }) => sum + width * scale + gap, gap);
      canvas.height = (images.length / columns) * (Math.max(...row.map(({ height }) => height)) * scale + gap) + gap;
      const context = canvas.getContext('2d');
      context.fillStyle = '#8b8d94';
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.imageSmoothingQuality = 'high';
      images.forEach((image, at) => {
        const left = images.slice(at - (at % columns), at).reduce((sum, { width }) => sum + width * scale + gap, gap);
        const top = gap + Math.floor(at / columns) * ((canvas.height - gap) / (images.length / columns));
        context.drawImage(image, left, top, image.width * scale, image.height * scale);
      });
      return canvas.toDataURL('image/webp', 0.55);
    },
    {
      sources: pictures.map((picture) => `data:image/png;base64,${picture.toString('base64')}`),
      columns: widths.length,
      gap,
      scale,
    },
  );
  writeFileSync(file, Buffer.from(data.split(',')[1], 'base64'));
}

function describeViews() {
  const sheets = Object.entries(titles).map(
    ([name, title]) => `## ${title}\n\n![${title}](images/views/${name}.webp)\n`,
  );
  return `# Views of the dashboard

<!-- Written by scripts/screenshots.mjs; edits are lost. -->

Every view of the [dashboard](dashboard.md) in both themes, at 1440, 768 and 360 pixels. The project and its statistics are examples.

${sheets.join('\n')}`;
}

const server = open(0);
try {
  const link = await readLink(server);
  const call = await connect(link);
  const { deploy, checkpoint } = await fill(call, {
    project,
    run: (...args) => execFileSync(process.execPath, [lore, ...args], { cwd: project, env }),
  });
  await age(env.LORE_DB);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage();
  await page.goto((await readLink(open(link.port))).href);
  await page.waitForSelector('.row');
  const { nodes } = await call('query_context', { query: 'LoreError', limit: 5 });
  const symbol = nodes.find(({ kind }) => kind === 'symbol') ?? nodes[0];
  const views = {
    memories: 'memories',
    search: 'memories?q=when+do+we+deploy',
    entry: `memories/${deploy}?q=when+do+we+deploy`,
    timeline: 'timeline',
    checkpoints: `checkpoints/${checkpoint}`,
    fixes: 'fixes',
    skills: 'skills/deploy',
    collections: 'collections?q=on+call',
    graph: `graph/${symbol.id}?hops=1&as=whole`,
    branches: `graph/${symbol.id}?as=branches`,
    code: 'code',
    symbol: 'code/LoreError',
    projects: 'projects',
    operations: 'operations',
    sources: 'sources',
    permissions: 'permissions',
    audit: 'audit',
    statistics: 'statistics?days=30',
  };
  const take = async (name, theme, width) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: theme });
    const address = new URL(`${link.origin}/ui/${views[name]}`);
    address.searchParams.set('project', project);
    await visit(page, address.href);
    return page.screenshot();
  };
  const docs = join(root, 'docs/guide/images');
  const sheets = await browser.newPage();
  for (const folder of [target === '--docs' ? join(docs, 'views') : target]) mkdirSync(folder, { recursive: true });
  for (const name of only.length > 0 ? only : Object.keys(views)) {
    const pictures = [];
    for (const theme of themes) {
      for (const width of widths) {
        const picture = await take(name, theme, width);
        pictures.push(picture);
        if (target !== '--docs') writeFileSync(join(target, `${name}-${theme}-${width}.png`), picture);
      }
    }
    if (target === '--docs') await writeSheet(sheets, pictures, join(docs, 'views', `${name}.webp`));
  }
  if (target === '--docs') {
    writeFileSync(join(docs, 'dashboard-search.png'), await take('search', 'light', 1440));
    writeFileSync(join(docs, 'dashboard-entry-dark.png'), await take('entry', 'dark', 1440));
    writeFileSync(join(docs, 'dashboard-code.png'), await take('code', 'light', 768));
    writeFileSync(join(root, 'docs/guide/dashboard-views.md'), describeViews());
  }
  await browser.close();
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
