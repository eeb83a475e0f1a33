// The page inside a chat, in the official bridge of MCP Apps: each message it sends fits the published schema.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv2020 } from 'ajv/dist/2020.js';
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
  'ui/update-model-context': 'McpUiUpdateModelContextRequest',
};

interface Sent {
  jsonrpc: string;
  id?: number;
  method?: string;
  params?: object;
  result?: object;
}

afterAll(closeBrowser);

describe.skipIf(browserPath === undefined)('the page inside a chat', () => {
  it('shows the result, acts through the host, informs the model, and leaves', async () => {
    const client = await connectPageClient((await serveLore()).url);
    const call = (name: string, args: object) => client.request('tools/call', { name, arguments: args });
    await call('remember', { content: 'The lift is serviced in May <img src=x onerror=alert(1)>.' });
    await call('remember', { content: 'The roof is green.' });
    const input = { query: 'lift serviced' };
    const result = await call('recall', input);
    const { contents } = (await client.request('resources/read', { uri: 'ui://lore/page' })) as {
      contents: [{ text: string }];
    };
    const page = await (await launchBrowser()).newPage();
    page.setDefaultTimeout(120_000);
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('dialog', (dialog) => void dialog.dismiss().then(() => problems.push('dialog')));
    await page.exposeFunction('callServer', (params: object) => client.request('tools/call', params));
    await page.goto('about:blank');
    await page.evaluate(`shown = ${JSON.stringify({ html: contents[0].text, tool: 'recall', input, result })}`);
    await page.evaluate(readFileSync(await bundle('test/web/host.ts', { format: 'esm', platform: 'browser' }), 'utf8'));
    const frame = page.frameLocator('iframe');
    await frame.locator('.row', { hasText: 'The lift is serviced' }).waitFor();
    expect(await frame.locator('html').getAttribute('data-theme')).toBe('dark');
    const calls = async () => {
      const sent = (await page.evaluate('sent')) as Sent[];
      return sent.flatMap(({ method, params }) => (method === 'tools/call' ? (params as { name: string }).name : []));
    };
    // The result was delivered; nothing had to be called.
    expect(await calls()).toEqual([]);
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
    expect(await page.evaluate('bridge.teardownResource({})')).toEqual({});
    expect(await page.evaluate('sizes')).toEqual([{ width: expect.any(Number), height: 480 }]);
    expect(problems).toEqual([]);

    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const { jsonrpc, id, method, params } of (await page.evaluate('sent')) as Sent[]) {
      expect(jsonrpc).toBe('2.0');
      if (method === undefined || method === 'tools/call') continue;
      const definition = published.$defs[definitions[method] ?? ''];
      expect(definition, method).toBeDefined();
      const message = { method, ...(params && { params }) };
      expect(ajv.validate(definition as object, message), `${method} ${id}: ${ajv.errorsText()}`).toBe(true);
    }
    await page.close();
  });
});
