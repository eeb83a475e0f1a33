// MCP Apps: clients that show pages get them with the tools and the data with the results; other clients notice nothing.
import { createRequire } from 'node:module';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { serveLore } from '../support/http.ts';
import { connectPageClient } from '../support/page-client.ts';

const published = createRequire(import.meta.url)('@modelcontextprotocol/ext-apps/schema.json') as {
  $defs: Record<string, object>;
};
const uri = 'ui://lore/page';
const withPages = ['checkpoint_list', 'checkpoint_resume', 'recall', 'recent', 'remediation_search', 'status'];

interface Listed {
  name: string;
  uri: string;
  _meta?: { ui?: { resourceUri: string } };
}

function expectValid(name: string, value: unknown): void {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const isValid = ajv.validate(published.$defs[name] as object, value);
  expect(isValid, `${name}: ${ajv.errorsText()}`).toBe(true);
}

describe('a client that shows pages', () => {
  it('finds the page of a tool, which is one file without addresses of other servers', async () => {
    const client = await connectPageClient((await serveLore()).url);
    const tools = (await client.request('tools/list')).tools as Listed[];
    const shown = tools.filter(({ _meta }) => _meta?.ui);
    expect(shown.map(({ name }) => name)).toEqual(withPages);
    for (const { _meta } of shown) expectValid('McpUiToolMeta', _meta?.ui);
    const resources = (await client.request('resources/list')).resources as Listed[];
    expect(resources.map((one) => one.uri)).toContain(uri);
    const [page] = (await client.request('resources/read', { uri })).contents as [
      { mimeType: string; text: string; _meta: { ui: object } },
    ];
    expect(page.mimeType).toBe('text/html;profile=mcp-app');
    expectValid('McpUiResourceMeta', page._meta.ui);
    expect(page.text.length).toBeLessThan(150 * 1024);
    // Names of XML are not addresses.
    const addresses = page.text.match(/(?:https?:|wss?:)?\/\/[\w.-]+\.[a-z]{2,}[^\s"'`]*/g) ?? [];
    expect(addresses.filter((address) => !address.includes('www.w3.org/'))).toEqual([]);
    expect(page.text).not.toMatch(/<(?:script|link|img|iframe)[^>]+(?:src|href)=/);
    expect(page.text).not.toContain('[redacted');
  });

  it('gets the data for the page beside the text for the model', async () => {
    const client = await connectPageClient((await serveLore()).url);
    await client.request('tools/call', { name: 'remember', arguments: { content: 'The kiosk runs Debian.' } });
    const found = await client.request('tools/call', { name: 'recall', arguments: { query: 'kiosk' } });
    expect(found).toMatchObject({
      content: [{ type: 'text' }],
      _meta: { 'io.github.lorekeeper/data': { memories: [{ text: 'The kiosk runs Debian.' }] } },
    });
    expect(found).not.toHaveProperty('structuredContent');
    expect(await client.request('tools/call', { name: 'stats' })).not.toHaveProperty('_meta');
  });
});

describe('another client', () => {
  it('gets no page and no data', async () => {
    const { url } = await serveLore();
    for (const extensions of [{}, { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/other'] } }]) {
      const client = await connectPageClient(url, extensions);
      expect(JSON.stringify(await client.request('tools/list'))).not.toContain('ui://');
      expect(JSON.stringify(await client.request('resources/list'))).not.toContain('ui://');
      expect(await client.request('tools/call', { name: 'recent' })).not.toHaveProperty('_meta');
    }
  });
});
