// The processes of mounted servers: when they start and stop, what a crash does, and who runs them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Gateway } from '../../src/services/gateway/gateway.ts';
import { describeTool, MountLab } from '../support/mounts-lab.ts';
import { isAlive } from '../support/process.ts';

let lab: MountLab;
beforeEach(() => {
  lab = new MountLab();
});
afterEach(async () => {
  vi.useRealTimers();
  await lab.close();
});

async function call(gateway: Gateway, name: string, value?: string, context = {}): Promise<string> {
  const args = value === undefined ? {} : { value };
  const state = gateway.store.get('small');
  const result = await gateway.request(state, 'tools/call', { name, arguments: args }, context);
  return (result as { content: { text: string }[] }).content[0]?.text ?? '';
}

const hidden = ['pid', 'crash', 'hang', 'echo', 'child', 'elicit', 'report', 'big', 'cancelled'].map((name) =>
  describeTool(name),
);

async function mount(): Promise<void> {
  lab.writeTools(hidden);
  await lab.mount(['--tools', lab.toolsFile]);
}

const files = () => readdirSync(join(lab.folder, 'gateway', 'run'));

describe.skipIf(process.platform === 'win32')('the process of a mounted server', () => {
  it('ends with the gateway, and its children with it', async () => {
    await mount();
    const [pid, child] = [Number(await call(lab.gateway, 'pid')), Number(await call(lab.gateway, 'child'))];
    expect([isAlive(pid), isAlive(child)]).toEqual([true, true]);
    await lab.gateway.close();
    await expect.poll(() => [isAlive(pid), isAlive(child)]).toEqual([false, false]);
    await expect.poll(() => files().filter((file) => /\.(?:child|sock)$/.test(file))).toEqual([]);
  });

  it('is started again by the call after a crash, and every running call gets one error', async () => {
    await mount();
    const pid = Number(await call(lab.gateway, 'pid'));
    const calls = Array.from({ length: 100 }, () => call(lab.gateway, 'hang'));
    await call(lab.gateway, 'echo');
    process.kill(pid, 'SIGKILL');
    const ended = await Promise.allSettled(calls);
    expect(ended.every((one) => one.status === 'rejected' && one.reason.word === 'unavailable')).toBe(true);
    expect(await call(lab.gateway, 'echo', 'again')).toBe('again');
    expect(Number(await call(lab.gateway, 'pid'))).not.toBe(pid);
  });

  it('is broken after five crashes in a row, with its last words, until a person restarts it', async () => {
    await mount();
    const crashes = lab.gateway.crashes('small');
    for (let at = 0; at < 5; at++)
      crashes.add({ at: Date.now() - 4_000, state: 'its process exited', tail: ['out of luck'] }, 0);
    await lab.gateway.close();
    const next = lab.another();
    await expect(call(next, 'echo')).rejects.toMatchObject({
      word: 'unavailable',
      message: 'Cannot reach server "small": it crashed 5 times, and its process exited',
      hint: expect.stringContaining('lore mount restart small'),
      details: { stderr: 'out of luck' },
    });
    await lab.start();
    const { structured } = await lab.call('tool_find', {});
    expect(JSON.stringify(structured)).toContain('"state":"broken"');
    await next.restart('small');
    expect(await call(next, 'echo', 'well')).toBe('well');
  });

  it('waits longer after each crash, and begins anew only after it ran for a minute', () => {
    lab.gateway.store.runFolder();
    const crashes = lab.gateway.crashes('small');
    const delays = [0, 1, 2, 3].map(() => {
      crashes.add({ at: 1_000, state: 'x', tail: [] }, 30_000);
      return crashes.delay(1_000);
    });
    expect(delays).toEqual([0, 500, 1_000, 2_000]);
    crashes.add({ at: 2_000, state: 'x', tail: [] }, 61_000);
    expect(crashes.delay(2_000)).toBe(0);
  });

  it('has a log of its errors without secrets', async () => {
    await mount();
    // In parts, so that this file does not look like a leak.
    const token = `ghp_${'xK9mQ2vL7pR4'}${'tY8wZ3nB6cF1'}${'hJ5dG0sA2eU7'}`;
    await expect(call(lab.gateway, 'crash', `token=${token}`)).rejects.toMatchObject({
      word: 'unavailable',
    });
    const log = () => readFileSync(join(lab.folder, 'gateway', 'run', 'small.log'), 'utf8');
    await expect.poll(log).toContain('about to crash');
    expect(log()).toContain('[redacted:');
    expect(log()).not.toContain(token);
    expect(lab.gateway.crashes('small').read()).toMatchObject([{ state: 'its process exited with status 3' }]);
  });

  it('stops when it is idle, and starts for the next call', async () => {
    lab.writeTools(hidden);
    const gateway = lab.another({ idleMs: () => 1 });
    await gateway.add(lab.command(['--tools', lab.toolsFile]), {});
    const pid = Number(await call(gateway, 'pid'));
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(Number(await call(gateway, 'pid'))).not.toBe(pid);
    expect(gateway.crashes('small').read()).toEqual([]);
  });

  it('is replaced if it answers nothing any more, after a call that was given up', async () => {
    lab.writeTools(hidden);
    const gateway = lab.another({ answerMs: () => 1 });
    await gateway.add(lab.command(['--tools', lab.toolsFile]), {});
    const pid = Number(await call(gateway, 'pid'));
    process.kill(pid, 'SIGSTOP');
    const controller = new AbortController();
    const hanging = call(gateway, 'echo', 'x', { signal: controller.signal });
    controller.abort(new Error('too late'));
    await expect(hanging).rejects.toThrow('too late');
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(Number(await call(gateway, 'pid'))).not.toBe(pid);
  });

  it('ends for a changed command', async () => {
    await mount();
    const pid = Number(await call(lab.gateway, 'pid'));
    await lab.mount(['--tools', lab.toolsFile, '--again', 'yes']);
    expect(Number(await call(lab.gateway, 'pid'))).not.toBe(pid);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

describe.skipIf(process.platform === 'win32')('several of our processes', () => {
  it('share one process of a server, and its answers, questions and reports', async () => {
    await mount();
    const others = Array.from({ length: 9 }, () => lab.another());
    const pids = await Promise.all([lab.gateway, ...others].map((gateway) => call(gateway, 'pid')));
    expect(new Set(pids).size).toBe(1);
    const [other] = others as [Gateway];
    const seen: unknown[] = [];
    const note = (...facts: unknown[]) => void seen.push(facts);
    await call(other, 'report', undefined, { progress: note, log: note, ask: async () => ({}), client: {} });
    expect(seen).toEqual([
      ['info', 'halfway', 'small'],
      [1, 2, 'half'],
    ]);
    const ask = async () => ({ answer: { action: 'accept', content: { by: 'other' } } });
    expect(await call(other, 'elicit', undefined, { ask, can: ['elicitation'], client: {} })).toContain('"by":"other"');
    await expect(call(other, 'nothing')).rejects.toMatchObject({ word: 'not_found' });
    const controller = new AbortController();
    const hanging = call(other, 'hang', undefined, { signal: controller.signal });
    await call(other, 'echo');
    controller.abort(new Error('enough'));
    await expect(hanging).rejects.toThrow('enough');
    await expect.poll(() => call(other, 'cancelled')).toMatch(/\[\d+\]/);
  });

  it('take over when the one that runs it ends: reads are repeated, other calls fail once', async () => {
    await mount();
    const [first, second, third] = [lab.gateway, lab.another(), lab.another()];
    const pid = await call(first, 'pid');
    expect([await call(second, 'pid'), await call(third, 'pid')]).toEqual([pid, pid]);
    const [read, write] = [
      call(second, 'hang', undefined, { isRepeatable: true, signal: AbortSignal.timeout(60_000) }),
      call(third, 'hang'),
    ];
    await call(second, 'echo');
    await call(third, 'echo');
    await first.close();
    await expect(write).rejects.toMatchObject({ word: 'unavailable', hint: expect.stringContaining('Try again') });
    const next = await call(third, 'pid');
    expect(next).not.toBe(pid);
    expect(await call(second, 'pid')).toBe(next);
    await third.close();
    await second.close();
    await expect(read).rejects.toMatchObject({ word: 'unavailable' });
  });
});
