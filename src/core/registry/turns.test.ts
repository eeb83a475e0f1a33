// Scheduling of calls: limited, fair between clients, and not blocked by calls that only wait.
import { describe, expect, it } from 'vitest';
import type { Soon } from '../attempt.ts';
import { createPlainCall, localCaller } from '../call.ts';
import { createLog } from '../log.ts';
import * as s from '../schema.ts';
import { defineTool } from '../tool.ts';
import { Registry } from './registry.ts';
import { Turns } from './turns.ts';

function callOf(client: object, isFull = () => false) {
  const call = createPlainCall(localCaller);
  return {
    client,
    signal: call.signal,
    cancel: call.cancel,
    get isFull() {
      return isFull();
    },
  };
}

/** Work that keeps the event loop busy and counts how many of its kind are under way. */
function createLoad() {
  const load = { now: 0, most: 0, done: [] as string[], run };
  async function run(name: string): Promise<string> {
    load.most = Math.max(load.most, ++load.now);
    for (let turn = 0; turn < 3; turn++) {
      const until = performance.now() + 1;
      while (performance.now() < until);
      await new Promise((resolve) => setImmediate(resolve));
    }
    load.now--;
    load.done.push(name);
    return name;
  }
  return load;
}

async function runInTurn<T>(turns: Turns, call: ReturnType<typeof callOf>, work: () => Soon<T>): Promise<T> {
  await turns.take(call);
  return Promise.resolve(work()).finally(() => turns.leave());
}

function withResolvers() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe('turns', () => {
  it('runs a call without contention synchronously', () => {
    expect(new Turns(4).take(callOf({}))).toBeUndefined();
  });

  it('runs few at once while the event loop is busy, and another client next', async () => {
    const turns = new Turns(4);
    const load = createLoad();
    const [greedy, other] = [{}, {}];
    const all = Array.from({ length: 100 }, () => runInTurn(turns, callOf(greedy), () => load.run('greedy')));
    const one = runInTurn(turns, callOf(other), () => load.run('other'));
    await Promise.all([...all, one]);
    expect(load.most).toBeLessThan(50);
    expect(load.done).toHaveLength(101);
    expect(load.done.indexOf('other')).toBeLessThan(50);
  });

  it('starts more while those that run only wait', async () => {
    const turns = new Turns(4);
    const waiting = Array.from({ length: 100 }, () => withResolvers());
    let started = 0;
    const all = waiting.map(({ promise }) =>
      runInTurn(turns, callOf({}), () => {
        started++;
        return promise;
      }),
    );
    while (started < 100) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const { resolve } of waiting) resolve();
    await Promise.all(all);
  });

  it('starts nothing for a client that does not read, and serves the others meanwhile', async () => {
    const turns = new Turns(4);
    let full = true;
    const held = runInTurn(
      turns,
      callOf({}, () => full),
      () => 'held',
    );
    expect(await runInTurn(turns, callOf({}), () => 'other')).toBe('other');
    full = false;
    expect(await held).toBe('held');
  });

  it('cancels a waiting call and frees its slot', async () => {
    const turns = new Turns(4);
    const call = callOf({}, () => true);
    const cancelled = runInTurn(turns, call, () => 'never');
    call.cancel(new Error('cancelled'));
    await expect(cancelled).rejects.toThrow('cancelled');
    const fail = async () => {
      throw new Error('broken');
    };
    for (let count = 0; count < 20; count++) await expect(runInTurn(turns, callOf({}), fail)).rejects.toThrow('broken');
    expect(turns.take(callOf({}))).toBeUndefined();
  });
});

describe('the door', () => {
  it('runs many calls at once if the tool waits for another program, and few otherwise', async () => {
    const started: string[] = [];
    const ended = new Promise((resolve) => setImmediate(resolve, 'done'));
    const open = (name: string, waits: boolean) => {
      const run = () => {
        started.push(name);
        return ended;
      };
      return defineTool({ name, title: name, description: name, effect: 'read', input: s.object({}), waits, run });
    };
    const rules = { readOnly: false, permissions: {}, callTimeoutMs: 60_000, rateLimit: 1 };
    const registry = new Registry(
      rules,
      createLog('error', () => {}),
    );
    const tools = [open('works', false), open('waits', true)];
    await registry.register({ id: 'a', title: 'a', summary: 'a', tools: () => tools });
    const calls = ['works', 'waits'].flatMap((name) =>
      Array.from({ length: 20 }, () => registry.call(name, {}, createPlainCall(localCaller))),
    );
    const count = (name: string) => started.filter((one) => one === name).length;
    expect(count('works')).toBeLessThan(10);
    expect(count('waits')).toBe(20);
    await Promise.all(calls);
    expect(count('works')).toBe(20);
  });
});
