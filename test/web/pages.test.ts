// The page inside a chat, in the official bridge of MCP Apps: each message it sends fits the published schema.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { browserPath, closeBrowser, launchBrowser } from '../support/browser.ts';
import { bundle } from '../support/bundle.ts';
import { serveLore } from '../support/http.ts';
import { connectPageClient } from '../support/page-client.ts';

const published = createRequire(import.meta.url)('@modelcontextprotocol/ext-apps/schema.json') as {
  $defs: Record<string, object>;
};

/** The definition of each method that a page may send; `tools/call` is of the protocol itself. */
const definitions: Record<string, string> = {
  'ui/initialize': 'McpUiInitializeRequest',
  'ui/notifications/initialized': 'McpUiInitializedNotification',
  'ui/notifications/size-changed': 'McpUiSizeChangedNotification',
  'ui/request-display-mode': 'McpUiRequestDisplayModeRequest',
  'ui/update-model-context': 'McpUiUpdateModelContextRequest',
};

/** What an agent calls, the title of the view that it opens, and what that shows. */
const openings: [tool: string, input: object, title: string, shown: string][] = [
  ['recent', {}, 'Memories', 'The roof is green.'],
  ['checkpoint_list', {}, 'Checkpoints', 'lift repair'],
  ['checkpoint_search', { query: 'lift' }, 'Checkpoints', 'lift repair'],
  ['checkpoint_resume', {}, 'Checkpoints', 'Order the cable.'],
  ['remediation_search', { error_msg: 'Error: door jammed' }, 'Fixes', 'Oil it.'],
  ['skill_search', { name: 'inspect' }, 'Skills', 'Look at the brake'],
  ['collection_list', {}, 'Collections', 'manuals'],
  ['collection_search', { query: 'brake pads' }, 'Collections', 'Brake pads last a year.'],
  ['query_context', { query: 'roof' }, 'Graph', 'The roof is green.'],
  ['repo_map', {}, 'Code', 'The code is not indexed yet'],
  ['stats', {}, 'Statistics', 'By knowledge'],
  ['status', {}, 'Operations', 'Services'],
];

const inside = [
  'Memories',
  'Timeline',
  'Checkpoints',
  'Fixes',
  'Skills',
  'Collections',
  'Graph',
  'Code',
  'Projects',
  'Operations',
  'Sources',
  'Statistics',
];

interface Sent {
  jsonrpc: string;
  id?: number;
  method?: string;
  params?: object;
  result?: object;
}

type Call = (name: string, args: object) => Promise<object>;

/** A host that shows pages, and a server with a few entries. */
async function openHost() {
  const client = await connectPageClient((await serveLore()).url);
  const call: Call = (name, args) => client.request('tools/call', { name, arguments: args });
  const { contents } = (await client.request('resources/read', { uri: 'ui://lore/page' })) as {
    contents: [{ text: string }];
  };
  const page = await (await launchBrowser()).newPage();
  page.setDefaultTimeout(120_000);
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => problems.push('dialog')));
  await page.exposeFunction('callServer', (params: object) => client.request('tools/call', params));
  const script = readFileSync(await bundle('test/web/host.ts', { format: 'esm', platform: 'browser' }), 'utf8');
  const show = async (tool: string, input: object) => {
    const result = await call(tool, input);
    await page.goto('about:blank');
    await page.evaluate(`shown = ${JSON.stringify({ html: contents[0].text, tool, input, result })}`);
    await page.evaluate(script);
    return page.frameLocator('iframe');
  };
  return { page, call, problems, show };
}

async function expectValid(page: Page): Promise<void> {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const { jsonrpc, id, method, params } of (await page.evaluate('sent')) as Sent[]) {
    expect(jsonrpc).toBe('2.0');
    if (method === undefined || method === 'tools/call') continue;
    const definition = published.$defs[definitions[method] ?? ''];
    expect(definition, method).toBeDefined();
    const message = { method, ...(params && { params }) };
    expect(ajv.validate(definition as object, message), `${method} ${id}: ${ajv.errorsText()}`).toBe(true);
  }
}

async function listCalls(page: Page): Promise<string[]> {
  const sent = (await page.evaluate('sent')) as Sent[];
  return sent.flatMap(({ method, params }) => (method === 'tools/call' ? (params as { name: string }).name : []));
}

afterAll(closeBrowser);

describe.skipIf(browserPath === undefined)('the page inside a chat', () => {
  it('shows the result, acts through the host, informs the model, and leaves', async () => {
    const { page, call, problems, show } = await openHost();
    await call('remember', { content: 'The lift is serviced in May <img src=x onerror=alert(1)>.' });
    await call('remember', { content: 'The roof is green.' });
    const input = { query: 'lift serviced' };
    const frame = await show('recall', input);
    await frame.locator('.row', { hasText: 'The lift is serviced' }).waitFor();
    expect(await frame.locator('html').getAttribute('data-theme')).toBe('dark');
    // The result was delivered; nothing had to be called.
    expect(await listCalls(page)).toEqual([]);
    await frame.locator('.row a').first().click();
    await frame.locator('.detail .text').waitFor();
    expect(await frame.getByRole('button', { name: 'Purge' }).count()).toBe(0);
    await frame.getByRole('button', { name: 'Forget' }).click();
    await frame.locator('.notice', { hasText: 'Forgotten' }).waitFor();
    await expect
      .poll(() => page.evaluate('informed'))
      .toEqual([{ content: [{ type: 'text', text: 'Forgot 1 memory.' }] }]);
    expect(await call('recall', input)).toMatchObject({
      _meta: { 'io.github.lorekeeper/data': { memories: [] } },
    });
    await frame.getByRole('button', { name: 'Full screen' }).click();
    await frame.getByRole('button', { name: 'Full screen' }).waitFor({ state: 'detached' });
    expect(await page.evaluate('bridge.teardownResource({})')).toEqual({});
    expect(await page.evaluate('sizes')).toEqual([{ width: expect.any(Number), height: 480 }]);
    expect(problems).toEqual([]);
    await expectValid(page);
    await page.close();
  });

  it('opens the view of each tool, and every other from there', async () => {
    const { page, call, problems, show } = await openHost();
    await call('remember', { content: 'The roof is green.' });
    await call('checkpoint_save', { name: 'lift repair', content: 'Order the cable.' });
    await call('remediation_save', { error_msg: 'Error: door jammed', solution: 'Oil it.' });
    await call('skill_save', { name: 'inspect', description: 'Inspect', content: '# Inspect\n\nLook at the brake.' });
    await call('collection_create', { collection_name: 'manuals', description: 'Of the maker' });
    await call('collection_ingest', { collection_name: 'manuals', title: 'a.md', content: 'Brake pads last a year.' });
    for (const [tool, input, title, shown] of openings) {
      const frame = await show(tool, input);
      await frame.locator('main', { hasText: shown }).waitFor();
      await frame.locator('main[aria-busy="false"]').waitFor();
      expect(await frame.locator('h1').first().textContent(), tool).toBe(title);
      // The page shows what the agent got. It only asks again for the list beside a skill, and after a failure.
      if (title !== 'Skills' && title !== 'Code') expect(await listCalls(page), tool).not.toContain(tool);
      expect(await frame.locator('.notice.failed').count(), tool).toBe(0);
      await expectValid(page);
    }
    const frame = await show('recent', {});
    const choice = frame.getByRole('combobox', { name: 'View' });
    expect(await choice.locator('option').allTextContents()).toEqual(inside);
    for (const title of inside) {
      await choice.selectOption({ label: title });
      await frame.locator('h1', { hasText: title }).waitFor();
      await frame.locator('main[aria-busy="false"]').waitFor();
      expect(await frame.locator('.notice.failed').count(), title).toBe(0);
    }
    await expectValid(page);
    expect(problems).toEqual([]);
    await page.close();
  });
});
