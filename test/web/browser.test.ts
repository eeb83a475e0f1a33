// The dashboard in a real browser: hostile texts, hostile pages, the keyboard, two tabs, and accessibility.

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { browserPath, closeBrowser, visit } from '../support/browser.ts';
import { openWith, views } from '../support/dashboard-page.ts';
import { createFolder } from '../support/folder.ts';
import { runLore } from '../support/lore.ts';
import { upstreamFile } from '../support/upstream/upstream.ts';
import { vectors } from './vectors.ts';

interface AxeReport {
  violations: { id: string; impact: string; nodes: { html: string }[] }[];
}

/** An API whose document consists of hostile texts. */
async function addHostileSource(env: Record<string, string>, folder: string): Promise<void> {
  const paths = vectors.map((text, at) => {
    const operation = { operationId: `rule${at}`, summary: `Rule ${text}`, description: text, responses: {} };
    return [`/rule${at}`, { get: operation }] as const;
  });
  const info = { title: vectors[2], description: vectors[0], version: '1' };
  const document = {
    openapi: '3.0.0',
    info,
    servers: [{ url: 'http://127.0.0.1:9' }],
    paths: Object.fromEntries(paths),
  };
  const file = join(folder, 'hostile.json');
  writeFileSync(file, JSON.stringify(document));
  const { code, stderr } = await runLore(['forge', 'add', 'hostile', file], { env, cwd: folder });
  expect(code, stderr).toBe(0);
}

/** A server whose tools are described by hostile texts, which wait for an approval. */
async function mountHostile(env: Record<string, string>, folder: string): Promise<void> {
  const file = join(folder, 'tools.json');
  const offer = (describe: (text: string) => string) => {
    const tools = vectors.map((text, at) => {
      const description = describe(text);
      return { name: `rule${at}`, title: description, description, inputSchema: { type: 'object' } };
    });
    writeFileSync(file, JSON.stringify(tools));
  };
  offer(() => 'Reads a rule.');
  const mount = async (...args: string[]) => {
    const { code, stderr } = await runLore(['mount', ...args], { env, cwd: folder });
    expect(code, stderr).toBe(0);
  };
  await mount('rules', '--', process.execPath, upstreamFile, '--tools', file);
  offer((text) => text);
  await mount('test', 'rules');
}

afterAll(closeBrowser);

describe.skipIf(browserPath === undefined)('the dashboard in a browser', () => {
  it('shows hostile texts as texts', async () => {
    const { page, problems, call, origin, ids, env, folder } = await openWith(
      vectors.map((text, at) => `Rule ${at} says ${text}`),
    );
    for (const [at, text] of vectors.entries()) {
      await call('checkpoint_save', { name: text.slice(0, 80), content: text, summary: text });
      await call('remediation_save', { error_msg: `Error ${at}: ${text}`, solution: text });
    }
    await call('collection_create', { collection_name: 'hostile', description: vectors[2] });
    await call('collection_ingest', { collection_name: 'hostile', content: vectors.join('\n\n'), title: vectors[0] });
    await addHostileSource(env, folder);
    await mountHostile(env, folder);
    await call('project_change', { action: 'rename', name: vectors[2] });
    // A slash cannot be in the name of a file.
    for (const [at, text] of vectors.entries()) {
      const name = text.replaceAll(/[/\n]/g, '');
      writeFileSync(join(folder, `${name}.ts`), `export function owned${at}(): void {}\n`);
    }
    await call('index_repository', {});
    for (const view of views) {
      await visit(page, `${origin}/ui/${view}?q=${encodeURIComponent('rule <script>window.owned=1</script>')}`);
    }
    await visit(page, `${origin}/ui/sources?q=rule`);
    expect(await page.textContent('main')).toContain('<script>window.owned=1</script>');
    for (const text of ['<script>window.owned=1</script>', '<img src=x onerror="window.owned=1">']) {
      await page.locator('.diff', { hasText: text }).first().waitFor();
    }
    await visit(page, `${origin}/ui/code?q=owned2`);
    expect(await page.textContent('main')).toContain('<img src=x onerror="window.owned=1">.ts');
    await visit(page, `${origin}/ui/code`);
    await visit(page, `${origin}/ui/graph/${ids[2]}?as=branches`);
    expect(await page.textContent('select.project')).toContain(vectors[2]);
    // The newest first; each of them in full.
    await visit(page, `${origin}/ui/memories/${ids.at(-1)}`);
    for (const text of vectors.toReversed()) {
      const written = (text.startsWith('`') ? text.replaceAll('`', '').replace(/^html\n/, '') : text).trim();
      await page.locator('.detail .text', { hasText: written }).waitFor();
      await page.keyboard.press('j');
    }
    expect(await page.evaluate('window.owned')).toBeUndefined();
    expect(await page.$$eval('main script, main iframe, main img, main object, main form', (all) => all.length)).toBe(
      0,
    );
    expect(problems).toEqual([]);
  });

  it('is out of reach for other pages', async () => {
    const { origin, page, call } = await openWith(['The master key is in the safe.']);
    const attack = (target: string) => `
      const target = ${JSON.stringify(target)};
      const body = JSON.stringify({ tool: 'recall', arguments: { query: 'key' } });
      const json = { 'Content-Type': 'application/json', 'Lore-Page': 'x' };
      const tries = {
        cors: () => fetch(target + '/ui/call', { method: 'POST', headers: json, body, credentials: 'include' }).then((r) => r.text()),
        simple: () => fetch(target + '/ui/call', { method: 'POST', body, credentials: 'include' }).then((r) => r.text()),
        noCors: () => fetch(target + '/ui/call', { method: 'POST', mode: 'no-cors', body, credentials: 'include' }).then((r) => r.text()),
        page: () => fetch(target + '/ui/', { credentials: 'include' }).then((r) => r.text()),
        script: () => new Promise((done, fail) => {
          const element = document.createElement('script');
          element.onload = () => done('loaded'); element.onerror = () => fail(new Error('refused'));
          element.src = target + '/ui/app.js'; document.head.append(element);
        }),
        events: () => new Promise((done, fail) => {
          const source = new EventSource(target + '/ui/events', { withCredentials: true });
          source.onmessage = () => done('message'); source.onerror = () => { source.close(); fail(new Error('refused')); };
        }),
        socket: () => new Promise((done, fail) => {
          const socket = new WebSocket(target.replace('http', 'ws') + '/ui/call');
          socket.onopen = () => done('open'); socket.onerror = () => fail(new Error('refused'));
        }),
        frame: () => new Promise((done) => {
          const frame = document.createElement('iframe');
          frame.onload = () => { try { done(frame.contentDocument.body.textContent) } catch { done('') } };
          frame.src = target + '/ui/'; document.body.append(frame);
        }),
      };
      window.outcome = Promise.all(Object.entries(tries).map(async ([name, run]) => {
        try { return name + ': ' + await run(); } catch { return name + ': refused'; }
      }));`;
    const server = createServer((request, response) => {
      response.setHeader('Content-Type', 'text/html');
      const target = new URL(request.url ?? '', 'http://host').searchParams.get('target') ?? '';
      response.end(`<!doctype html><body><script>${attack(target)}</script>`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const others = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
    const evil = await page.context().newPage();
    for (const other of others) {
      await evil.goto(`${other}/?target=${encodeURIComponent(origin)}`);
      const outcome = (await evil.evaluate('window.outcome')) as string[];
      expect(outcome, other).toEqual([
        'cors: refused',
        'simple: refused',
        // The response is opaque.
        'noCors: ',
        'page: refused',
        'script: refused',
        'events: refused',
        'socket: refused',
        'frame: ',
      ]);
    }
    // By its other name, the page has neither half of the session.
    await evil.goto(origin.replace('127.0.0.1', 'localhost').concat('/ui/memories'));
    await evil.waitForSelector('text=Open the dashboard from a terminal');
    expect(await call('stats', {})).toMatchObject({ memories: 1 });
  });

  it('is used with the keyboard alone', async () => {
    const { page, problems, call, ids } = await openWith([
      'Releases are cut on Monday.',
      'The office plants are watered on Fridays.',
    ]);
    const { keyboard } = page;
    await keyboard.press('/');
    await keyboard.type('releases');
    await page.waitForSelector('.why');
    await keyboard.press('Escape');
    await keyboard.press('j');
    await keyboard.press('Enter');
    await page.waitForSelector('.detail .text');
    expect(page.url()).toContain(`/ui/memories/${ids[0]}`);
    await keyboard.press('e');
    await page.waitForSelector('dialog textarea');
    await keyboard.press('Control+a');
    await keyboard.type('Releases are cut on Tuesday.');
    await keyboard.press('Control+Enter');
    await page.waitForSelector('.detail .text:has-text("Tuesday")');
    await page.waitForSelector('.history del:has-text("Monday")');
    // A statement that may contradict it.
    await keyboard.press('n');
    await page.waitForSelector('dialog textarea');
    await keyboard.type('Releases are cut on Friday.');
    await keyboard.press('Control+Enter');
    await page.waitForSelector('.row:has-text("Friday")');
    await page.waitForSelector('h3:has-text("May contradict")');
    await keyboard.press('#');
    await page.waitForSelector('.toast:has-text("Forgot")');
    await page.waitForSelector('.notice:has-text("Forgotten")');
    await keyboard.press('u');
    await page.waitForSelector('.notice:has-text("Forgotten")', { state: 'detached' });
    await keyboard.press('g');
    await keyboard.press('e');
    const toggle = page.getByRole('switch', { name: 'Allow tool_source' });
    await toggle.focus();
    await keyboard.press('Space');
    await page.waitForSelector('[aria-label="Allow tool_source"][aria-checked="true"]');
    await keyboard.press('Control+k');
    await keyboard.type('operations');
    await keyboard.press('Enter');
    await page.waitForSelector('h1:has-text("Operations")');
    await call('memory_purge', { ids: [ids[1]] });
    await page.waitForSelector('.cards :text("purge")');
    expect(problems).toEqual([]);
  });

  it('moves a memory to another project, and back', async () => {
    const { page, problems, call, origin, ids, env } = await openWith(['The canary runs for ten minutes.']);
    const other = createFolder('other');
    await runLore(['remember', 'The mail relay is mx2.'], { env, cwd: other });
    await visit(page, `${origin}/ui/memories/${ids[0]}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Move to another project' }).click();
    await page.getByRole('combobox', { name: 'Move to another project' }).selectOption({ label: basename(other) });
    await page.locator('dialog').getByRole('button', { name: 'Move' }).click();
    await page.waitForSelector('.notice:has-text("Forgotten")');
    expect(await call('recall', { query: 'canary', project: other })).toMatchObject({ memories: [{}] });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.waitForSelector('.notice:has-text("Forgotten")', { state: 'detached' });
    expect(await call('recall', { query: 'canary', project: other })).toMatchObject({ memories: [] });
    expect(problems).toEqual([]);
  });

  it('shows in one tab what another forgot, and its undo', async () => {
    const { page, ids, origin } = await openWith(['The canary runs for ten minutes.', 'The cache has 2 GB.']);
    const other = await page.context().newPage();
    await other.goto(`${origin}/ui/memories`);
    await other.waitForSelector(`#row-${ids[0]}`);
    await page.goto(`${origin}/ui/memories/${ids[0]}`);
    await page.getByRole('button', { name: 'Forget' }).click();
    await other.waitForSelector(`#row-${ids[0]}`, { state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await other.waitForSelector(`#row-${ids[0]}`);
  });

  it('has no serious finding of axe, and no sideways scrolling, in any view, theme and width', async () => {
    const texts = ['Use tabs in Makefiles.', 'Use spaces in Makefiles.', 'The proxy is `edge-2` (src/proxy.ts:10).'];
    const { page, origin, ids, call } = await openWith(texts);
    await call('checkpoint_save', { name: 'proxy', content: 'The proxy works. Next: its tests.' });
    await call('remediation_save', { error_msg: 'Error: EPIPE', solution: 'Restart the proxy.' });
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const findings = new Set<string>();
    const addresses = [...views, `memories/${ids[0]}`, 'memories?q=makefiles', `graph/${ids[0]}`];
    const contrasts = ['memories', 'memories?q=makefiles', `memories/${ids[0]}`, 'permissions', 'statistics'];
    for (const [width, colorScheme, checked] of [
      [1440, 'light', addresses],
      [360, 'dark', contrasts],
      // As a window of 1280 pixels is at 200 %.
      [640, 'light', []],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      for (const address of addresses) {
        await visit(page, `${origin}/ui/${address}`);
        const wide = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
        if (wide > 0) findings.add(`${address} ${width}: ${wide} px too wide`);
        if (!(checked as readonly string[]).includes(address)) continue;
        await page.evaluate(axe);
        const found = (await page.evaluate('axe.run()')) as AxeReport;
        for (const { id, impact, nodes } of found.violations) {
          if (impact === 'serious' || impact === 'critical')
            findings.add(`${address} ${width}: ${id}: ${nodes[0]?.html}`);
        }
      }
    }
    expect([...findings]).toEqual([]);
  });
});
