// lore allow, as a person uses it; and that nothing but a person changes what is allowed.
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import { auditFile } from '../../src/core/audit/chain.ts';
import { readAuditKeys } from '../../src/core/audit/key.ts';
import { verifyAudit } from '../../src/core/audit/verify.ts';
import { createPlainCall, localCaller } from '../../src/core/call.ts';
import { createLog } from '../../src/core/log.ts';
import { isObject, type JsonSchema } from '../../src/core/schema.ts';
import { createFolder } from '../support/folder.ts';
import { runLore, spawnLore } from '../support/lore.ts';
import { StdioClient } from '../support/stdio-client.ts';

function createPlace() {
  const folder = createFolder('allow');
  const config = join(folder, 'config.json');
  const env = { LORE_CONFIG: config, LORE_DB: join(folder, 'lore.db'), HOME: folder };
  const lore = (...args: string[]) => runLore(args, { env });
  return { folder, config, env, lore, read: () => readFileSync(config, 'utf8') };
}

describe('lore allow', () => {
  it('is the hint of a refusal, and then the call is allowed', async () => {
    const { lore, read } = createPlace();
    const refused = await lore('reg_read', 'gsettings:org.nope');
    expect(refused).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('A person can allow it: lore allow reg\n'),
    });
    const write = await lore('call', 'reg_write', 'path=HKCU\\A', 'name=n', 'type=REG_SZ', 'value=x');
    expect(write.stderr).toContain('lore allow reg_write --level write\n');
    expect(await lore('allow', 'reg')).toMatchObject({ code: 0, stdout: expect.stringContaining('reg: read.') });
    expect(JSON.parse(read())).toEqual({ permissions: { reg: 'read' } });
    expect((await lore('reg_read', 'gsettings:org.nope')).stderr).not.toContain('permission');
    expect((await lore('call', 'reg_write', 'path=HKCU\\A', 'name=n', 'type=REG_SZ', 'value=x')).code).toBe(5);
  });

  it('changes one setting and leaves the rest of the file unchanged', async () => {
    const { config, lore, read } = createPlace();
    const text = '{\n\t"rate_limit":  7,\n\t"permissions": { "forget": "off" }\n}\n';
    writeFileSync(config, text, { mode: 0o640 });
    await lore('allow', 'eventlog');
    expect(read()).toBe('{\n\t"rate_limit":  7,\n\t"permissions": { "forget": "off", "eventlog": "read" }\n}\n');
    expect(statSync(config).mode & 0o777).toBe(0o640);
    expect((await lore('allow', 'eventlog')).stdout).toContain('Nothing to change.');
    await lore('allow', 'forget');
    expect(JSON.parse(read()).permissions).toEqual({ forget: 'write', eventlog: 'read' });
    await lore('allow', 'reg_write', '--level', 'write', '--without-asking');
    expect(JSON.parse(read())).toMatchObject({ unconfirmed_tools: ['reg_write'], permissions: { reg_write: 'write' } });
    await lore('allow', 'reg_write', '--level', 'write');
    expect(JSON.parse(read()).unconfirmed_tools).toBeUndefined();
  });

  it('replaces the old name of a setting by the current one', async () => {
    const { config, lore, read } = createPlace();
    writeFileSync(config, '{"unasked":["reg_write"]}');
    expect((await lore('allow', '--list')).stdout).toMatch(/reg_write.*without asking/);
    await lore('allow', 'remember', '--without-asking');
    expect(JSON.parse(read())).toEqual({
      permissions: { remember: 'write' },
      unconfirmed_tools: ['reg_write', 'remember'],
    });
  });

  it('grants folders and logs', async () => {
    const { folder, lore, read } = createPlace();
    mkdirSync(join(folder, 'src'));
    await lore('allow', '--root', join(folder, 'src', '..', 'src'));
    await lore('allow', '--log', 'auth');
    expect(JSON.parse(read())).toEqual({ roots: [join(folder, 'src')], logs: ['auth'] });
    expect(await lore('allow', '--root', join(folder, 'nothing'))).toMatchObject({ code: 3 });
    await lore('allow', '--root', join(folder, 'src'), '--level', 'off');
    await lore('allow', '--log', 'auth', '--level', 'off');
    expect(JSON.parse(read())).toEqual({});
  });

  it('lists permissions, and refuses unknown names', async () => {
    const { config, lore } = createPlace();
    const rows = JSON.parse((await lore('allow', '--list', '--json')).stdout) as { tool: string }[];
    const row = (name: string) => rows.find(({ tool }) => tool === name);
    expect(row('fs_search')).toMatchObject({ service: 'fs', group: 'system', effect: 'read', level: 'write' });
    expect(row('reg_write')).toMatchObject({
      service: 'reg',
      group: 'system',
      effect: 'destroy',
      level: 'off',
      needs: 'write',
    });
    expect(row('eventlog_query')).toMatchObject({
      service: 'eventlog',
      group: 'system',
      effect: 'read',
      level: 'off',
      needs: 'read',
    });
    expect((await lore('allow', '--list')).stdout).toMatch(/^reg_write +reg, system +destroy +off +needs write$/m);
    expect(await lore('allow', 'nothing')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('there is no such tool'),
    });
    expect(await lore('allow', 'reg', '--level', 'all')).toMatchObject({ code: 2 });
    expect(await lore('allow', 'reg', '--without-asking')).toMatchObject({ code: 2 });
    expect(await lore('allow')).toMatchObject({ code: 2 });
    expect(existsSync(config)).toBe(false);
    writeFileSync(config, '{ nonsense');
    expect(await lore('allow', 'reg')).toMatchObject({ code: 2 });
    expect(readFileSync(config, 'utf8')).toBe('{ nonsense');
  });

  it('takes effect in a running server', async () => {
    const { env, lore } = createPlace();
    const child = spawnLore(['stdio'], env);
    onTestFinished(() => void child.kill('SIGKILL'));
    const client = new StdioClient({ child, log: () => '' } as never);
    await client.request('initialize', { clientInfo: { name: 'test' } });
    const call = () => client.request('tools/call', { name: 'reg_read', arguments: { path: 'HKCU\\A\0' } });
    expect((await call()).result).toMatchObject({ structuredContent: { error: { code: 'forbidden' } } });
    await lore('allow', 'reg');
    await client.nextNotification('notifications/tools/list_changed');
    expect((await call()).result).toMatchObject({ structuredContent: { error: { code: 'invalid_input' } } });
    await lore('allow', 'reg', '--level', 'off');
    await client.nextNotification('notifications/tools/list_changed');
    expect((await call()).result).toMatchObject({ structuredContent: { error: { code: 'forbidden' } } });
  });

  it('ignores settings in a project', async () => {
    const { folder, env } = createPlace();
    const project = join(folder, 'project');
    const wide = JSON.stringify({
      permissions: { reg: 'write', eventlog: 'read' },
      roots: ['/'],
      unconfirmed_tools: ['reg_write'],
    });
    for (const place of ['', '.lorekeeper', '.config/lorekeeper', 'lorekeeper', '.lore']) {
      mkdirSync(join(project, place), { recursive: true });
      writeFileSync(join(project, place, 'config.json'), wide);
    }
    const list = await runLore(['allow', '--list', '--json'], { env, cwd: project });
    expect(JSON.parse(list.stdout)).toContainEqual(expect.objectContaining({ tool: 'reg_read', level: 'off' }));
    expect(await runLore(['fs_stat', '/etc/hostname'], { env, cwd: project })).toMatchObject({ code: 5 });
  });
});

describe('no tool', () => {
  /** Something for every argument, and the path wherever a text goes. */
  function fill(schema: JsonSchema, text: string): unknown {
    if (Array.isArray(schema.enum)) return schema.enum[0];
    if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
    if (schema.type === 'boolean') return true;
    if (schema.type === 'array') return [fill(isObject(schema.items) ? schema.items : {}, text)];
    if (schema.type !== 'object') return text;
    const entries = Object.entries(isObject(schema.properties) ? schema.properties : {});
    return Object.fromEntries(entries.map(([key, each]) => [key, fill(each as JsonSchema, text)]));
  }

  /** Only what it must have, then one argument more at a time. */
  function* variants({ properties = {}, required = [] }: JsonSchema, text: string): Generator<object> {
    const all = Object.entries(properties as Record<string, JsonSchema>);
    const must = all.filter(([key]) => (required as string[]).includes(key));
    for (const extra of [undefined, ...all]) {
      const chosen = extra ? [...must, extra] : must;
      yield Object.fromEntries(chosen.map(([key, schema]) => [key, fill(schema, text)]));
    }
  }

  it('changes the settings or the audit log, whatever its path argument', { timeout: 240_000 }, async () => {
    const { folder, config, env } = createPlace();
    writeFileSync(config, '{"permissions":{"reg":"write","eventlog":"read"},"unconfirmed_tools":["reg_write"]}');
    const before = readFileSync(config, 'utf8');
    const project = join(folder, 'project');
    mkdirSync(project);
    symlinkSync(config, join(project, 'settings-link'));
    const app: App = await createApp({ config: loadConfig({ env }), log: createLog('silent') });
    onTestFinished(() => app.stop());
    const caller = { ...localCaller, folder: project };
    await app.registry.call('fs_stat', { path: '.' }, createPlainCall(caller));
    const log = join(folder, auditFile);
    const begun = readFileSync(log, 'utf8');
    let calls = 0;
    for (const { tool } of app.registry.permissions()) {
      for (const path of [config, log, 'settings-link']) {
        for (const args of variants(tool.input.json, path)) {
          const call = createPlainCall(caller);
          // How it ends does not matter here, only what is left.
          await (async () => app.registry.call(tool.name, args, call))().catch(() => {});
          calls++;
        }
      }
      expect(readFileSync(config, 'utf8'), tool.name).toBe(before);
      expect(readFileSync(log, 'utf8').startsWith(begun), tool.name).toBe(true);
    }
    expect(calls).toBeGreaterThan(300);
    const keys = await readAuditKeys([dirname(config), folder]);
    expect((await verifyAudit(folder, { keys })).problems).toEqual([]);
  });
});
