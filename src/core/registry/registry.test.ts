// The one door: permissions, deadlines, cancellation, rates, failures, and services that come and go.
import { describe, expect, it, vi } from 'vitest';
import { type Call, createPlainCall, localCaller, MovedToBackground } from '../call.ts';
import { LoreError } from '../error.ts';
import { createLog } from '../log.ts';
import * as s from '../schema.ts';
import type { Adviser, Host, Service } from '../service.ts';
import { defineTool, type Tool } from '../tool.ts';
import { complete, getPrompt, readResource } from './lookup.ts';
import { Registry, type RegistryChange, type RegistryRules } from './registry.ts';

const rules: RegistryRules = { readOnly: false, permissions: {}, callTimeoutMs: 1000, rateLimit: 2 };

function createTool(name: string, rest: Partial<Tool> = {}): Tool {
  return defineTool({
    name,
    title: name,
    description: name,
    effect: 'read',
    input: s.object({}),
    output: s.object({ done: s.boolean() }),
    run: () => ({ done: true }),
    ...rest,
  }) as Tool;
}

function createService(id: string, tools: Tool[], rest: Partial<Service> = {}): Service {
  return { id, title: id, summary: id, tools: () => tools, ...rest };
}

async function openRegistry(service: Service, own: Partial<RegistryRules> = {}) {
  const lines: string[] = [];
  const log = createLog('info', (text) => lines.push(...text.trim().split('\n')));
  const registry = new Registry({ ...rules, ...own }, log);
  await registry.register(service);
  const call = async (name: string, args: unknown = {}) => registry.call(name, args, createPlainCall(localCaller));
  return { registry, call, log, lines };
}

describe('call', () => {
  it('returns text and the same data', async () => {
    const { call } = await openRegistry(createService('a', [createTool('t', { render: () => 'It is done.' })]));
    expect(await call('t')).toEqual({ content: [{ type: 'text', text: 'It is done.' }], structured: { done: true } });
  });

  it('logs one line', async () => {
    const { call, log, lines } = await openRegistry(createService('a', [createTool('t')]));
    await call('t');
    log.flush();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] as string)).toMatchObject({ event: 'call', what: 't', caller: 'local', outcome: 'ok' });
  });

  it('hides the text of an unexpected error, and logs it', async () => {
    const failing = createTool('t', {
      run: () => {
        throw new Error('password=hunter2');
      },
    });
    const { call, lines } = await openRegistry(createService('a', [failing]));
    const error = await call('t').catch((reason: LoreError) => reason);
    expect(error).toMatchObject({ word: 'internal', message: 'Cannot finish "t": an internal error occurred' });
    const { id } = (error as LoreError).details as { id: string };
    expect(JSON.stringify(error)).not.toContain('hunter2');
    expect(lines.join()).toContain(id);
    expect(lines.join()).toContain('hunter2');
  });

  it('does not return a result that violates its schema', async () => {
    const { call } = await openRegistry(createService('a', [createTool('t', { run: () => ({ done: 'yes' }) })]));
    await expect(call('t')).rejects.toMatchObject({ word: 'internal' });
  });

  it('ends a call that takes too long, and aborts the tool', async () => {
    const heard = vi.fn();
    const slow = createTool('t', {
      run: (_, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', heard);
        }),
    });
    const { call } = await openRegistry(createService('a', [slow]), { callTimeoutMs: 5 });
    await expect(call('t')).rejects.toMatchObject({ word: 'timeout' });
    expect(heard).toHaveBeenCalledOnce();
  });

  it('does not wait for calls that failed before it, at once or later', async () => {
    const fail = () => {
      throw new LoreError('conflict', 'Cannot do it');
    };
    const tools = [createTool('t'), createTool('now', { run: fail }), createTool('later', { run: async () => fail() })];
    const { registry, call } = await openRegistry(createService('a', tools));
    for (let count = 0; count < 10; count++) {
      for (const name of ['now', 'later', 'unknown']) await expect(call(name)).rejects.toBeInstanceOf(LoreError);
    }
    expect(registry.call('t', {}, createPlainCall(localCaller))).not.toBeInstanceOf(Promise);
  });

  it('limits expensive tools by caller', async () => {
    const { call } = await openRegistry(createService('a', [createTool('t', { expensive: true })]));
    await call('t');
    await call('t');
    await expect(call('t')).rejects.toMatchObject({ word: 'limit_exceeded', details: { retryAfterSeconds: 30 } });
  });
});

describe('permissions', () => {
  const service = createService('files', [createTool('look'), createTool('keep', { effect: 'write' })]);
  const visible = async (own: Partial<RegistryRules>, scopes: ('read' | 'write')[] = ['read', 'write']) =>
    (await openRegistry(service, own)).registry.tools({ id: 'x', scopes, folder: '.' }).map(({ name }) => name);

  it('lists what may be called, in a stable order', async () => {
    expect(await visible({})).toEqual(['keep', 'look']);
    expect(await visible({ readOnly: true })).toEqual(['look']);
    expect(await visible({ permissions: { files: 'read' } })).toEqual(['look']);
    expect(await visible({ permissions: { files: 'off', look: 'read' } })).toEqual(['look']);
    expect(await visible({}, ['read'])).toEqual(['look']);
  });

  it('lists tools that are off by default in short, until somebody decides', async () => {
    const input = s.object({ path: s.string({ description: 'Where' }), deep: s.optional(s.boolean()) });
    const off = { allowed: 'off' as const, group: 'machine', description: 'Look.', input };
    const logs = createService('logs', [
      createTool('log_read', off),
      createTool('log_write', { ...off, effect: 'write' }),
    ]);
    const list = async (own: Partial<RegistryRules>) =>
      (await openRegistry(logs, own)).registry
        .listedTools({ id: 'x', scopes: ['read', 'write'], folder: '.' }, undefined)
        .map(({ name, description, input: { json } }) => [name, description, JSON.stringify(json.properties)]);
    const short = '{"path":{"type":"string"},"deep":{"type":"boolean"}}';
    expect(await list({})).toEqual([
      ['log_read', 'Look. Off until a person runs: lore allow logs', short],
      ['log_write', 'Look. Off until a person runs: lore allow log_write --level write', short],
    ]);
    expect(await list({ readOnly: true })).toHaveLength(1);
    expect(await list({ permissions: { logs: 'read' } })).toEqual([
      ['log_read', 'Look.', expect.stringContaining('Where')],
    ]);
    for (const name of ['logs', 'machine']) expect(await list({ permissions: { [name]: 'off' } }), name).toEqual([]);
    expect(await list({ permissions: { machine: 'off', logs: 'write' } })).toHaveLength(2);
  });

  it('refuses the others with a hint for the user', async () => {
    const { call } = await openRegistry(service, { permissions: { keep: 'read' } });
    await expect(call('keep')).rejects.toMatchObject({
      word: 'forbidden',
      hint: 'A person can allow it: lore allow keep --level write',
    });
  });
});

describe('services', () => {
  it('are registered and unregistered with notifications', async () => {
    const { registry } = await openRegistry(createService('a', [createTool('t')]));
    const heard: RegistryChange[] = [];
    registry.onChange((change) => heard.push(change));
    await registry.register(createService('b', [createTool('u')]));
    expect(registry.find('u')).toBeDefined();
    await registry.unregister('b');
    expect(registry.find('u')).toBeUndefined();
    expect(heard).toEqual([{ list: 'tools' }, { list: 'tools' }]);
  });

  it('that fail to start are reported, and the others serve', async () => {
    const { registry, call } = await openRegistry(createService('a', [createTool('t')]));
    const start = () => {
      throw new LoreError('unavailable', 'Cannot open "x": it is locked');
    };
    await registry.register(createService('b', [createTool('u')], { start }));
    expect(registry.services()[1]).toMatchObject({
      id: 'b',
      state: 'failed',
      problem: 'Cannot open "x": it is locked',
    });
    expect(registry.find('u')).toBeUndefined();
    await expect(call('t')).resolves.toBeDefined();
  });

  it('serve nothing before they have started, nor after they failed to', async () => {
    const { registry, call } = await openRegistry(createService('a', [createTool('t')]));
    const adviser = vi.fn(async () => []);
    let fail = (_error: Error) => {};
    const start = (host: Host) => {
      host.advise(adviser);
      host.changed('tools');
      return new Promise<void>((_, reject) => {
        fail = reject;
      });
    };
    const registering = registry.register(createService('b', [createTool('u')], { start }));
    expect(registry.tools(localCaller).map(({ name }) => name)).toEqual(['t']);
    fail(new LoreError('unavailable', 'Cannot open "x": it is locked'));
    await registering;
    expect(registry.tools(localCaller).map(({ name }) => name)).toEqual(['t']);
    await expect(call('u')).rejects.toMatchObject({ word: 'not_found' });
  });

  it('can change their own lists', async () => {
    const tools = [createTool('t')];
    let host: Host | undefined;
    const { registry } = await openRegistry(
      createService('a', tools, {
        start: (lent) => {
          host = lent;
        },
      }),
    );
    expect(registry.tools(localCaller)).toHaveLength(1);
    tools.push(createTool('u'));
    host?.changed('tools');
    expect(registry.tools(localCaller)).toHaveLength(2);
  });

  it('cannot use an existing name', async () => {
    const { registry, lines } = await openRegistry(createService('a', [createTool('t', { title: 'first' })]));
    await registry.register(createService('b', [createTool('t', { title: 'second' })]));
    expect(registry.find('t')?.title).toBe('first');
    expect(lines.join()).toContain('tool_conflict');
  });
});

describe('stopping', () => {
  it('refuses calls with "unavailable", keeps the lists and announces nothing', async () => {
    const { registry, call } = await openRegistry(createService('a', [createTool('t')]));
    const heard: RegistryChange[] = [];
    registry.onChange((change) => heard.push(change));
    await registry.stop();
    await expect(call('t')).rejects.toMatchObject({
      word: 'unavailable',
      message: 'Cannot call "t": the server is stopping',
    });
    expect(registry.find('t')).toBeDefined();
    expect(heard).toEqual([]);
  });
});

describe('a foreign schema', () => {
  it('is prepared in advance, and an invalid one is only reported', async () => {
    const warm = vi.fn();
    const input = { ...s.object({}), warm };
    const broken = {
      ...s.object({}),
      warm: () => {
        throw new LoreError('invalid_input', 'Cannot use the schema: it is not valid');
      },
    };
    const tools = [createTool('a', { input: broken }), createTool('b', { input })];
    const { lines } = await openRegistry(createService('x', tools));
    await expect.poll(() => warm.mock.calls.length).toBe(1);
    expect(lines.join()).toContain('schema_refused');
  });
});

describe('secrets', () => {
  const secret = ['ghp', 'Zx8Kq2LmVt4RbN7wYc1HsJ0dFgPa3Q0Wk5Te'].join('_');
  const mark = '[redacted:github-token]';
  const plainCall = () => createPlainCall(localCaller);

  it('are redacted in text and data of a result, at once or later', async () => {
    const output = s.object({ note: s.string() });
    const run = () => ({ note: `use ${secret}` });
    const render = ({ note }: { note: string }) => `It says: ${note}`;
    const tools = [
      createTool('now', { output, run, render } as Partial<Tool>),
      createTool('later', { output, run: async () => run(), render } as Partial<Tool>),
    ];
    const { call } = await openRegistry(createService('a', tools));
    const told = { content: [{ type: 'text', text: `It says: use ${mark}` }], structured: { note: `use ${mark}` } };
    expect(await call('now')).toEqual(told);
    expect(await call('later')).toEqual(told);
  });

  it('are redacted in background results too', async () => {
    const tool = createTool('t', {
      output: s.object({ note: s.string() }),
      run: (_, { background }) => background(async () => ({ note: secret })),
    });
    const { registry } = await openRegistry(createService('a', [tool]));
    const background: Call['background'] = (work) => {
      throw new MovedToBackground(work);
    };
    const moved = await attemptCall(() => registry.call('t', {}, { ...plainCall(), background }));
    expect(moved).toBeInstanceOf(MovedToBackground);
    const done = await (moved as MovedToBackground).work(plainCall());
    expect(done).toMatchObject({ structured: { note: mark } });
    expect(JSON.stringify(done)).not.toContain(secret);
  });

  it('are redacted in an error', async () => {
    const failing = createTool('t', {
      run: () => {
        const details = { path: 'arguments.key', received: secret };
        throw new LoreError('invalid_input', `Cannot use "${secret}": it is old`, { hint: `Not ${secret}.`, details });
      },
    });
    const { call } = await openRegistry(createService('a', [failing]));
    await expect(call('t')).rejects.toMatchObject({
      word: 'invalid_input',
      message: `Cannot use "${mark}": it is old`,
      hint: `Not ${mark}.`,
      details: { path: 'arguments.key', received: mark },
    });
  });

  it('are redacted in a resource, a prompt or a completion', async () => {
    const text = `use ${secret}`;
    const service = createService('a', [], {
      resources: () => [{ uri: 'x:now', name: 'now', read: () => [{ uri: 'x:now', text }] }],
      templates: () => [{ uriTemplate: 'x:{id}', name: 'later', read: async (_, uri) => [{ uri, text }] }],
      prompts: () => [
        {
          name: 'p',
          arguments: [{ name: 'a', complete: () => [secret] }],
          get: async () => [{ role: 'user', content: { type: 'text', text } }],
        },
      ],
    });
    const { registry } = await openRegistry(service);
    const clean = `use ${mark}`;
    expect(await readResource(registry, 'x:now', plainCall())).toEqual([{ uri: 'x:now', text: clean }]);
    expect(await readResource(registry, 'x:1', plainCall())).toEqual([{ uri: 'x:1', text: clean }]);
    expect(await getPrompt(registry, 'p', {}, plainCall())).toEqual({
      messages: [{ role: 'user', content: { type: 'text', text: clean } }],
    });
    const typed = { argument: 'a', value: '', context: {} };
    expect(await complete(registry, { prompt: 'p' }, typed, plainCall())).toEqual([mark]);
  });
});

async function attemptCall(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    return error;
  }
}

describe('advice', () => {
  const failing = createTool('t', {
    run: () => {
      throw new LoreError('unavailable', 'Cannot reach "db": connection refused', { hint: 'Start it.' });
    },
  });
  const advise = (adviser: Adviser, rest: Partial<Service> = {}) =>
    createService('b', [], { start: (host: Host) => host.advise(adviser), ...rest });
  const fail = (call: (name: string) => Promise<unknown>, name = 't') =>
    call(name).then(
      () => Promise.reject(new Error('it did not fail')),
      (error: LoreError) => error,
    );

  it('is added to the failure of any tool, with secrets redacted', async () => {
    const { registry, call } = await openRegistry(createService('a', [failing]));
    const token = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
    await registry.register(advise(async ({ message }) => [{ id: 'r1', text: `${message}: use ${token}` }]));
    const error = await fail(call);
    expect(error).toMatchObject({ word: 'unavailable', hint: 'Start it.', advice: [{ id: 'r1' }] });
    expect(error.advice[0]?.text).toContain('connection refused: use [');
    await registry.unregister('b');
    expect((await fail(call)).advice).toEqual([]);
  });

  it('causes no delay or failure if there is none', async () => {
    const { registry, call } = await openRegistry(createService('a', [failing]));
    await registry.register(advise(() => Promise.reject(new Error('broken'))));
    await registry.register(advise(() => new Promise(() => {}), { id: 'c' }));
    expect(await fail(call)).toMatchObject({ word: 'unavailable', advice: [] });
  });

  it('does not replace the failure when an adviser throws at once', async () => {
    const { registry, call } = await openRegistry(createService('a', [failing]));
    const broken: Adviser = () => {
      throw new Error('adviser broke');
    };
    await registry.register(advise(broken));
    await registry.register(advise(async () => [{ id: 'r1', text: 'Start the database.' }], { id: 'c' }));
    expect(await fail(call)).toMatchObject({ word: 'unavailable', advice: [{ id: 'r1' }] });
  });

  it('is not requested for an invalid call', async () => {
    const { registry, call } = await openRegistry(createService('a', [failing]));
    const adviser = vi.fn(async () => []);
    await registry.register(advise(adviser));
    await fail(() => call('t', { unknown: 1 }));
    await fail(call, 'absent');
    expect(adviser).not.toHaveBeenCalled();
  });
});
