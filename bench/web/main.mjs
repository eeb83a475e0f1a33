// The dashboard on a database of many memories, in a real browser: first rows, search while typing, scrolling, memory, weight.
// node bench/web/main.mjs [--memories 100000] [--database FILE]      FILE is filled if it is not there, and kept.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { root, runBundled } from '../bundle.mjs';
import { createEnvironment, lore } from '../stdio.mjs';

const { values } = parseArgs({
  options: { memories: { type: 'string', default: '100000' }, database: { type: 'string' } },
});
const executablePath = process.env.LORE_CHROMIUM;
if (!executablePath) throw new Error('Set LORE_CHROMIUM to the path of a Chromium');

const folder = mkdtempSync(join(tmpdir(), 'lore-bench-web-'));
const database = values.database ?? join(folder, 'lore.db');
const project = `${database}.project`;
const env = createEnvironment(folder, { LORE_DB: database, LORE_PORT: '0', LOG_LEVEL: 'error' });
const rows = 10_000;

/** Milliseconds, megabytes and kilobytes. */
const bounds = { first: 400, search: 120, task: 50, heap: 80, script: 40 };

/** In the page: when the first row appeared, and tasks that block it. */
const probe = `
  window.tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask' });
  new MutationObserver(() => {
    if (window.firstRow === undefined && document.querySelector('.row')) window.firstRow = performance.now();
  }).observe(document, { childList: true, subtree: true });
  window.typed = [];
  addEventListener('input', () => {
    const began = performance.now();
    const main = document.querySelector('main');
    let wasBusy = false;
    const look = new MutationObserver(() => {
      const isBusy = main.getAttribute('aria-busy') === 'true';
      if (isBusy) wasBusy = true;
      else if (wasBusy) {
        look.disconnect();
        requestAnimationFrame(() => typed.push(performance.now() - began));
      }
    });
    look.observe(main, { attributes: true });
    window.stopLooking?.();
    window.stopLooking = () => look.disconnect();
  }, true);
`;

try {
  const count = Number(values.memories);
  const fill = !existsSync(database);
  const { asked } = await runBundled('bench/memory/fill.ts', { database, project, count, fill });
  const server = spawn(process.execPath, [lore, 'open', '--json'], { env, cwd: project, stdio: ['ignore', 'pipe', 2] });
  try {
    let text = '';
    server.stdout.on('data', (part) => {
      text += part;
    });
    while (!text.includes('}')) await once(server.stdout, 'data');
    await measure(JSON.parse(text).url, asked, server.pid);
  } finally {
    server.kill();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(link, questions, pid) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(probe);
    await page.goto(link);
    await page.waitForSelector('.row');
    // The server is warm from here on, as it is for everybody but the first visitor.
    const first = [];
    for (let round = 0; round < 10; round++) {
      await page.reload();
      await page.waitForSelector('.row');
      first.push(await page.evaluate('firstRow'));
    }
    report('first rows, p50', quantile(first, 0.5), bounds.first, 'ms');
    await measureSearch(page, questions, pid);
    await measureScroll(browser, page);
    reportWeight();
  } finally {
    await browser.close();
  }
}

async function measureSearch(page, questions, pid) {
  const box = page.locator('input[type=search]');
  await page.evaluate('typed.length = 0');
  const before = processorMs(pid);
  let keys = 0;
  for (const question of questions.slice(0, 12)) {
    await box.fill('');
    await page.waitForTimeout(150);
    // As fast as a person types.
    await box.pressSequentially(question.slice(0, 40), { delay: 120 });
    keys += Math.min(40, question.length);
  }
  const typed = await page.evaluate('typed');
  report(`search while typing, p50 of ${typed.length} keys`, quantile(typed, 0.5), bounds.search, 'ms');
  report('search while typing, p95', quantile(typed, 0.95), bounds.search, 'ms');
  report('processor time of the server, per key', (processorMs(pid) - before) / keys, bounds.search, 'ms');
  await box.fill('');
}

/** Used by a process so far. Unlike a clock it does not count what other programs use. */
function processorMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function measureScroll(browser, page) {
  await page.waitForSelector('.row');
  await page.evaluate('tasks.length = 0');
  await browser.startTracing(page, { categories: ['toplevel'] });
  const client = await page.context().newCDPSession(page);
  for (let loaded = 0; loaded < rows; ) {
    loaded = await page.evaluate(`new Promise((done) => {
      const box = document.querySelector('.scroll');
      box.scrollTop += 3_000;
      requestAnimationFrame(() => done(Number(document.querySelector('.row')?.getAttribute('aria-setsize'))));
    })`);
  }
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  const ran = traceEvents.filter(
    ({ pid, tid, tdur }) => tdur && threads.some((one) => one.tid === tid && one.pid === pid),
  );
  const tasks = await page.evaluate('tasks');
  report(`longest task while ${rows} rows scroll by`, Math.max(0, ...tasks), bounds.task, 'ms');
  report('the same, in processor time', Math.max(...ran.map(({ tdur }) => tdur / 1000)), bounds.task, 'ms');
  await client.send('HeapProfiler.collectGarbage');
  const { usedSize } = await client.send('Runtime.getHeapUsage');
  report(`heap with ${rows} rows`, usedSize / 2 ** 20, bounds.heap, 'MB');
}

function reportWeight() {
  const web = join(root, 'dist/web');
  const weigh = (name) => gzipSync(readFileSync(join(web, name)), { level: 9 }).length / 1024;
  report('script of the first view, gzip', weigh('app.js'), bounds.script, 'KB');
  report('style, gzip', weigh('style.css'), 8, 'KB');
  const rest = readdirSync(web).filter((name) => name.endsWith('.js') && name !== 'app.js');
  report('largest script of another view, gzip', Math.max(...rest.map(weigh)), 45, 'KB');
}

function quantile(numbers, share) {
  return numbers.sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))];
}

function report(name, value, bound, unit) {
  const verdict = value <= bound ? 'ok' : 'TOO MUCH';
  console.log(`${name.padEnd(46)} ${value.toFixed(1).padStart(8)} ${unit}  (at most ${bound}) ${verdict}`);
}
