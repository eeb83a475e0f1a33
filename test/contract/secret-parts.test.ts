// A part of a secret does not look like one: documents are redacted before they are cut, and a range of lines together with
// what precedes it.
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/store/sql.ts';
import { sqlite } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices, type Services } from '../support/services.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 4096 });
const key = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
const body = key.trim().split('\n').slice(1, -1);

const ways: Record<string, (line: string, at: number) => string> = {
  plain: (line) => line,
  quoted: (line) => `> ${line}`,
  commented: (line) => `# ${line}`,
  numbered: (line, at) => `${at + 1}: ${line}`,
};

const documents = Object.fromEntries(
  Object.entries(ways).map(([way, write]) => [
    `${way}.md`,
    `# Setup\n\nThe key of the server:\n\n${key.trim().split('\n').map(write).join('\n')}\n\nThe end.\n`,
  ]),
);

const folder = createFolder('project');
let services: Services;

beforeAll(async () => {
  for (const [name, text] of Object.entries(documents)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'deploy.yml'), 'db:\n  password:\n    Xk29fjQpwLt\n  user: app\n');
  services = await openServices(sqlite, folder);
});
afterAll(() => services.close());

function findBody(text: string): string[] {
  return body.filter((line) => text.includes(line.slice(0, 48)));
}

describe('collection_ingest', () => {
  it('stores no line of a private key, however its lines are written', async () => {
    await services.call('collection_create', { collection_name: 'docs' });
    for (const [name, content] of Object.entries(documents)) {
      await services.call('collection_ingest', { collection_name: 'docs', path: name });
      await services.call('collection_ingest', { collection_name: 'docs', content, title: `Copy of ${name}` });
    }
    const rows = await services.opened.store.all<{ text: string; data: string }>(sql`select text, data from node`);
    expect(rows.length).toBeGreaterThan(8);
    expect(findBody(rows.map(({ text, data }) => text + data).join('\n'))).toEqual([]);
  });
});

describe('read_file', () => {
  it.each(Object.keys(documents))('shows no line of a private key from the middle of %s', async (path) => {
    for (const start of [2, 6, 15, 40, 52]) {
      const view = (await services.call('read_file', { path, start })) as { text: string; start: number; end: number };
      expect(findBody(view.text)).toEqual([]);
      expect(view.start).toBe(start);
      expect(view.text.split('\n').length - 1).toBe(view.end - start + 1);
      expect(view.text).toContain('The end.');
    }
    const part = (await services.call('read_file', { path, start: 15, end: 20 })) as { text: string };
    expect(part.text.split('\n').filter((line) => line.includes('[redacted:private-key]'))).toHaveLength(6);
  });

  it('shows no value whose name is in the line before', async () => {
    const view = (await services.call('read_file', { path: 'deploy.yml', start: 3 })) as { text: string };
    expect(view.text).toBe('    [redacted:assigned-secret]\n  user: app\n');
  });
});

describe('search_code', () => {
  it('shows no line of a private key around a match', async () => {
    const found = (await services.call('search_code', { query: 'The end.', mode: 'literal', context: 10 })) as {
      files: { places: { text: string }[] }[];
    };
    expect(found.files).toHaveLength(4);
    const text = found.files.flatMap(({ places }) => places.map((place) => place.text)).join('\n');
    expect(findBody(text)).toEqual([]);
    expect(text).toContain('[redacted:private-key]');
    expect(text).toContain('The end.');
  });

  it('shows no line of a matching private key', async () => {
    const query = (body[20] as string).slice(4, 16);
    const found = await services.call('search_code', { query, mode: 'literal' });
    expect(found).toMatchObject({ total: 4 });
    expect(findBody(JSON.stringify(found))).toEqual([]);
  });
});

describe('fs_search', () => {
  it('shows no line of a private key that has the text', async () => {
    for (const at of [3, 20, 45]) {
      const line = body[at] as string;
      for (const content of [line.slice(0, 20), line.slice(0, 20).toLowerCase()]) {
        const found = await services.call('fs_search', { content, name: 'plain.md' });
        expect(found.files).toHaveLength(1);
        expect(findBody(JSON.stringify(found))).toEqual([]);
      }
    }
  });
});

describe('troubleshoot', () => {
  it('shows no line of a private key from a log', async () => {
    const filler = 'all is well\n'.repeat(25_000);
    writeFileSync(join(folder, 'app.log'), `${filler}Loading the key\n${key}Cannot parse it: walrus_error\n`);
    const line = body[20] as string;
    const said = await services.call('troubleshoot', {
      error_message: `Error: walrus_error in ${line.slice(0, 12)} with ${line.slice(0, 24)}`,
    });
    expect(JSON.stringify(said)).toContain('Cannot parse it');
    expect(findBody(JSON.stringify(said))).toEqual([]);
  });
});
