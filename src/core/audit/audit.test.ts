// What the registry writes to the audit log, and that nothing happens which cannot be written.
import { describe, expect, it } from 'vitest';
import { type Call, createPlainCall, InputRequired, localCaller } from '../call.ts';
import { LoreError } from '../error.ts';
import { createLog } from '../log.ts';
import { createPlainEntrance } from '../registry/entrance.ts';
import { Registry } from '../registry/registry.ts';
import * as s from '../schema.ts';
import { defineTool, type Tool } from '../tool.ts';
import type { Audit, AuditEntry } from './audit.ts';

const rules = { readOnly: false, permissions: {}, callTimeoutMs: 1_000, rateLimit: 100 };
const full = new LoreError('unavailable', 'Cannot write audit log "x": the disk is full');

function createTool(name: string, rest: Partial<Tool>): Tool {
  return defineTool({
    name,
    title: name,
    description: name,
    effect: 'read',
    input: s.object({ text: s.optional(s.string()) }),
    output: s.object({ done: s.boolean() }),
    run: () => ({ done: true }),
    ...rest,
  }) as Tool;
}

async function open(tools: Tool[], { isFull = false, permissions = {} } = {}) {
  const entries: AuditEntry[] = [];
  const audit: Audit = {
    async append(entry) {
      if (isFull) throw full;
      entries.push(entry);
    },
  };
  const registry = new Registry({ ...rules, permissions }, createLog('silent'), audit);
  await registry.register({ id: 'a', title: 'a', summary: 'a', tools: () => tools });
  const call = async (name: string, args: unknown = {}, by: Call = createPlainCall(localCaller)) =>
    registry.call(name, args, by);
  return { entries, registry, call };
}

describe('the audit of calls', () => {
  it('contains every call of audited tools, whatever the outcome, and no others', async () => {
    const { entries, call } = await open([
      createTool('plain', {}),
      createTool('looks', { audited: true }),
      createTool('fails', {
        audited: true,
        run: () => {
          throw new LoreError('not_found', 'Cannot find "x": it is not there');
        },
      }),
      createTool('breaks', {
        audited: true,
        run: async () => {
          throw new Error('hunter2');
        },
      }),
    ]);
    await call('plain');
    await call('looks', { text: 'x' });
    await expect(call('looks', { text: 7 })).rejects.toMatchObject({ word: 'invalid_input' });
    await expect(call('fails')).rejects.toMatchObject({ word: 'not_found' });
    await expect(call('breaks')).rejects.toMatchObject({ word: 'internal' });
    await expect(call('nothing')).rejects.toMatchObject({ word: 'not_found' });
    expect(entries).toMatchObject([
      { tool: 'looks', outcome: 'ok', caller: 'local', arguments: '{"text":"x"}' },
      { tool: 'looks', outcome: 'invalid_input', arguments: '{"text":7}' },
      { tool: 'fails', outcome: 'not_found', message: 'Cannot find "x": it is not there' },
      { tool: 'breaks', outcome: 'internal' },
    ]);
    expect(JSON.stringify(entries)).not.toContain('hunter2');
  });

  it('contains every refusal of tools and other requests', async () => {
    const { entries, registry, call } = await open([createTool('plain', {})], { permissions: { plain: 'off' } });
    await expect(call('plain')).rejects.toMatchObject({ word: 'forbidden' });
    const refuse = async () => {
      throw new LoreError('forbidden', 'Cannot read "x": no');
    };
    const visit = { name: 'memory://x', action: 'read "x"', call: createPlainCall(localCaller) };
    await expect(registry.enter(visit, () => createPlainEntrance([], refuse))).rejects.toThrow('no');
    expect(entries.map(({ tool, outcome }) => `${tool} ${outcome}`)).toEqual([
      'plain forbidden',
      'memory://x forbidden',
    ]);
  });

  it('contains a change before it is made, and its result afterwards', async () => {
    const seen: number[] = [];
    const { entries, call } = await open([
      createTool('changes', {
        effect: 'write',
        audited: (result) => ({ result }),
        run: () => {
          seen.push(entries.length);
          return { done: true };
        },
      }),
    ]);
    await call('changes');
    expect(seen).toEqual([1]);
    expect(entries).toMatchObject([{ outcome: 'begun' }, { outcome: 'ok', facts: { result: { done: true } } }]);
  });

  it('waits for the end of a call that asks the user', async () => {
    const asks = createTool('asks', {
      audited: true,
      run: () => {
        throw new InputRequired({});
      },
    });
    const { entries, call } = await open([asks]);
    await expect(call('asks')).rejects.toBeInstanceOf(InputRequired);
    expect(entries).toEqual([]);
  });

  it('truncates long arguments, and records their digest', async () => {
    const { entries, call } = await open([createTool('looks', { audited: true })]);
    await call('looks', { text: 'x'.repeat(100_000) });
    expect(JSON.stringify(entries[0]).length).toBeLessThan(2_000);
    expect(entries[0]?.digest).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('without a writable log', () => {
  it('changes are not made, results are not returned, and refusals remain', async () => {
    const done: string[] = [];
    const run = (name: string) => () => {
      done.push(name);
      return { done: true };
    };
    const tools = [
      createTool('changes', { effect: 'write', audited: true, run: run('changes') }),
      createTool('looks', { audited: true, run: run('looks') }),
      createTool('plain', { run: run('plain') }),
      createTool('shut', { allowed: 'off' }),
    ];
    const { call } = await open(tools, { isFull: true });
    await expect(call('changes')).rejects.toBe(full);
    await expect(call('looks')).rejects.toBe(full);
    await expect(call('shut')).rejects.toMatchObject({ word: 'forbidden' });
    expect((await call('plain')).structured).toEqual({ done: true });
    expect(done).toEqual(['looks', 'plain']);
  });
});

describe('permissions', () => {
  const tools = [
    createTool('log_read', { allowed: 'off', group: 'log' }),
    createTool('log_write', { allowed: 'read', group: 'log', effect: 'write' }),
    createTool('other', { effect: 'write' }),
  ];

  it.each([
    [{}, { log_read: 'off', log_write: 'read', other: 'write' }],
    [{ log: 'read' }, { log_read: 'read', log_write: 'read', other: 'write' }],
    [{ a: 'read' }, { log_read: 'read', log_write: 'read', other: 'read' }],
    [
      { a: 'off', log: 'read', log_write: 'write' },
      { log_read: 'off', log_write: 'write', other: 'off' },
    ],
    [
      { toString: 'write', constructor: 'write' },
      { log_read: 'off', log_write: 'read', other: 'write' },
    ],
  ])('%j', async (permissions, levels) => {
    const { registry } = await open(tools, { permissions });
    expect(Object.fromEntries(registry.permissions().map(({ tool, level }) => [tool.name, level]))).toEqual(levels);
  });
});
