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
const opening = [
  'checkpoint_list',
  'checkpoint_resume',
  'checkpoint_search',
  'collection_list',
  'collection_search',
  'query_context',
  'recall',
  'recent',
  'remediation_search',
  'repo_map',
  'skill_search',
  'stats',
  'status',
];
/** Only pages call them; a host hides them from its model. */
const hidden = ['activity', 'entry_list', 'node_neighbours', 'project_list', 'remediation_list'];

interface Listed {
  name: string;
  uri: string;
  _meta?: { ui?: { resourceUri?: string; visibility?: string[] } };
}

interface Called {
  isError?: boolean;
  _meta?: Record<string, unknown>;
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
    const namesOf = (isIt: (tool: Listed) => boolean) => shown.filter(isIt).map(({ name }) => name);
    expect(namesOf(({ _meta }) => _meta?.ui?.resourceUri === uri)).toEqual(opening);
    expect(namesOf(({ _meta }) => _meta?.ui?.visibility?.join() === 'app')).toEqual(hidden);
    expect(shown.length).toBe(opening.length + hidden.length);
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
    const saved = { name: 'remember', arguments: { content: 'The kiosk has two screens.' } };
    expect(await client.request('tools/call', saved)).not.toHaveProperty('_meta');
  });

  it('sees nothing that was forgotten, and no other project', async () => {
    const { url } = await serveLore();
    const client = await connectPageClient(url);
    const call = async (name: string, args: object) => {
      const { _meta, isError } = (await client.request('tools/call', { name, arguments: args })) as Called;
      return isError ? 'refused' : _meta?.['io.github.lorekeeper/data'];
    };
    await call('remember', { content: 'The kiosk runs Debian in src/kiosk.ts.' });
    await call('remember', { content: 'The kiosk in src/kiosk.ts has two screens.' });
    const { memories } = (await call('recent', {})) as { memories: { id: string }[] };
    const [kept, gone] = memories.map(({ id }) => id);
    await call('forget', { id: gone });
    expect(JSON.stringify(await call('entry_list', {}))).not.toContain(gone);
    for (const state of ['forgotten', 'superseded', 'all']) expect(await call('entry_list', { state })).toBe('refused');
    const around = JSON.stringify(await call('node_neighbours', { id: kept, hops: 3 }));
    expect(around).toContain('src/kiosk.ts');
    expect(around).not.toContain(gone);
    expect(await call('project_list', {})).toMatchObject({ projects: [{ current: true }] });
    for (const name of ['audit_list', 'permission_list', 'mount_review', 'memory_edit']) {
      expect(await call(name, {}), name).toBe('refused');
    }
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
      for (const name of hidden) {
        expect(await client.request('tools/call', { name, arguments: { id: 'n_x' } }), name).toMatchObject({
          isError: true,
        });
      }
    }
  });
});
