// The sources of settings and the messages for invalid ones.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LoreError } from '../core/error.ts';
import { type Config, loadConfig, watchConfig } from './load.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lore-config-'));
  file = join(folder, 'config.json');
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(settings: unknown): void {
  writeFileSync(file, typeof settings === 'string' ? settings : JSON.stringify(settings));
}

function load(env: Record<string, string> = {}, flags = {}): Config {
  return loadConfig({ env: { LORE_CONFIG: file, ...env }, flags });
}

describe('loadConfig', () => {
  it('prefers flags over the environment, the file and the defaults', () => {
    write({ port: 1, host: 'localhost', rate_limit: 9 });
    const { values, sources } = load({ LORE_PORT: '2', LORE_HOST: '127.0.0.2' }, { port: '3' });
    expect(values).toMatchObject({ port: 3, host: '127.0.0.2', rate_limit: 9, page_size: 100 });
    expect(sources).toMatchObject({ port: 'flag', host: 'environment', rate_limit: 'file', page_size: 'default' });
  });

  it('reads lists and booleans from text', () => {
    const { values } = load({ LORE_ALLOWED_HOSTS: 'a.example, b.example', LORE_READ_ONLY: '1' });
    expect(values).toMatchObject({ allowed_hosts: ['a.example', 'b.example'], read_only: true });
    expect(load({}, { allowed_hosts: ['a', 'b,c'] }).values.allowed_hosts).toEqual(['a', 'b', 'c']);
  });

  it('accepts the old name of a setting in the file', () => {
    write({ unasked: ['reg_write'] });
    expect(load().values.unconfirmed_tools).toEqual(['reg_write']);
    expect(load().sources.unconfirmed_tools).toBe('file');
    write({ unasked: 'reg_write' });
    expect(() => load()).toThrow(`unasked in ${file} should be`);
  });

  it('reads other names of a variable, and ignores the placeholder of an empty option', () => {
    const env = { KUZU_MEMORY_PROJECT: '/shop', CONTEXTGRAPH_DB: '/x.db', SERVER_PORT: '9090' };
    const placeholder = ['$', '{user_config.project}'].join('');
    for (const more of [{}, { LORE_PROJECT: placeholder }, { LORE_PROJECT: '' }]) {
      const { values } = loadConfig({ env: { LORE_CONFIG: '/nowhere/config.json', ...env, ...more } });
      expect(values).toMatchObject({ project: '/shop', db: '/x.db', port: 9090 });
    }
  });

  it('sets the level debug for MCP_DEBUG=1', () => {
    expect(load({ MCP_DEBUG: '1' }).values.log_level).toBe('debug');
    expect(load({ MCP_DEBUG: '1' }, { log_level: 'warn' }).values.log_level).toBe('warn');
  });

  it.each([
    ['{', 'it is not JSON'],
    ['[]', 'it is not an object'],
    [{ prot: 1 }, '"prot" in'],
    [{ unconfirmed_tools: [], unasked: [] }, '"unconfirmed_tools" and "unasked" in'],
    [{ embed_url: 'ftp://a.example' }, 'should be http or https URL without user name and password, got another text'],
    [{ embed_url: 'https://me:word@a.example' }, 'should be http or https URL'],
    [{ port: '80' }, 'should be integer from 0 to 65535, got string'],
    [{ permissions: { status: 'on' } }, 'should be one of off, read, write, got "on"'],
  ])('refuses a file with %j', (content, message) => {
    write(content);
    expect(() => load()).toThrow(message);
  });

  it('names an invalid variable', () => {
    expect(() => load({ LORE_PORT: 'many' })).toThrow('LORE_PORT should be integer from 0 to 65535, got string');
  });
});

describe('watchConfig', () => {
  it('reports valid and invalid changes', async () => {
    const heard: (Config | LoreError)[] = [];
    const next = async (count: number) => expect.poll(() => heard.length).toBe(count);
    const stop = watchConfig(load(), { env: { LORE_CONFIG: file } }, (config) => heard.push(config), 5);
    write({ read_only: true });
    await next(1);
    expect((heard[0] as Config).values.read_only).toBe(true);
    write('nonsense');
    await next(2);
    expect((heard[1] as LoreError).word).toBe('invalid_input');
    stop();
  });
});
