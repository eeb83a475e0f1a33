// A server with a small heap under everything that could fill it, while another client goes on working. The long run:
// SURVIVE_HEAP=256 SURVIVE_SCALE=1 npx vitest run test/survive, which prints how long the other client had to wait.
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readMemory } from '../fuzz/memory.ts';
import { createFolder } from '../support/folder.ts';
import { initialize, jsonHeaders, serveLore } from '../support/http.ts';
import * as attacks from './attacks.ts';

const heap = process.env.SURVIVE_HEAP ?? '80';
/** 1 is 10,000 large messages, 20,000 sessions and batches of 1,000 calls. */
const scale = Number(process.env.SURVIVE_SCALE ?? 0.007);
/** A part of the name of the attacks to run. */
const only = process.env.SURVIVE_ONLY ?? '';
const fileBytes = 500_000;
const megabyte = 1024 * 1024;

function scaled(count: number, least = 1): number {
  return Math.max(least, Math.round(count * scale));
}

/** Calls `status` and `recall` one after the other, on a connection of its own, until it is stopped. */
function startBystander(url: string) {
  const waits: number[] = [];
  const problems: string[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let stopped = false;
  const call = (headers: Record<string, string>, message: object) =>
    new Promise<string>((resolve, reject) => {
      const sent = request(url, { method: 'POST', agent, headers: { ...jsonHeaders, ...headers } }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        answer.on('end', () => resolve(text));
      });
      sent.on('error', reject).end(JSON.stringify(message));
    });
  const run = async () => {
    const session = await initialize(url);
    for (let id = 1; !stopped; id++) {
      const params =
        id % 2 ? { name: 'status', arguments: {} } : { name: 'recall', arguments: { query: 'the lighthouse' } };
      const started = performance.now();
      const answer = await call(session, { jsonrpc: '2.0', id, method: 'tools/call', params }).catch(String);
      waits.push(performance.now() - started);
      if (!answer.includes('"result"')) problems.push(answer.slice(0, 200));
      if (problems.length > 3) break;
    }
    agent.destroy();
  };
  const running = run();
  return {
    problems,
    waits,
    async stop() {
      stopped = true;
      await running;
    },
  };
}

it('serves other clients whatever is done to its memory', { timeout: 3_600_000 }, async () => {
  const project = createFolder('large');
  const line = 'The quick brown fox jumps over the lazy dog while the lighthouse keeper counts ships.\n';
  writeFileSync(join(project, 'large.txt'), line.repeat(fileBytes / line.length));
  const { child, url } = await serveLore({ NODE_OPTIONS: `--max-old-space-size=${heap}`, LOG_LEVEL: 'error' }, project);
  onTestFinished(attacks.release);
  const target = { url, port: Number(new URL(url).port) };
  let log = '';
  child.stderr.on('data', (part: Buffer) => {
    log += part;
  });
  const bystander = startBystander(url);
  const report: object[] = [];

  const attack = async (name: string, work: () => Promise<unknown>) => {
    const from = bystander.waits.length;
    const started = performance.now();
    const result = await work()
      .then(async (outcome) => {
        await attacks.settle(target, scaled(500, 8));
        return outcome;
      })
      .catch(String);
    const waits = bystander.waits.slice(from).sort((a, b) => a - b);
    report.push({
      name,
      seconds: Math.round((performance.now() - started) / 100) / 10,
      calls: waits.length,
      median: Math.round(waits[waits.length >> 1] ?? 0),
      worst: Math.round(waits.at(-1) ?? 0),
      rss: child.exitCode === null && child.signalCode === null ? readMemory(child.pid as number).peak : 'died',
      result,
    });
    expect([child.exitCode, child.signalCode], `${name}\n${log}`).toEqual([null, null]);
    expect(String(result), name).not.toContain('Error');
  };

  const all: Record<string, () => Promise<unknown>> = {
    'large initializes': () => attacks.largeInitializes(target, scaled(10_000), megabyte),
    sessions: () => attacks.manySessions(target, scaled(20_000)),
    'unread 2024-11-05 streams': () => Promise.all([1, 2, 3].map(() => attacks.unreadSse(target, scaled(3_000, 100)))),
    'three batches': () => Promise.all([1, 2, 3].map(() => attacks.readBatch(target, scaled(1_000, 200)))),
    'unread batches': () => attacks.unreadBatches(target, scaled(100, 4), 16),
    'pipelined calls': () => attacks.pipelined(target, scaled(1_000, 200)),
    'unread lists': () => attacks.unreadLists(target, 300),
    'unread streams': () => attacks.unreadStreams(target, scaled(1_000)),
    'slow bodies': () => attacks.slowBodies(target, scaled(500, 50), megabyte),
    'dense messages': () => attacks.denseMessages(target, scaled(200, 4), megabyte),
  };
  try {
    for (const [name, work] of Object.entries(all)) if (name.includes(only)) await attack(name, work);
    attacks.release();
    await bystander.stop();
  } finally {
    if (process.env.SURVIVE_HEAP !== undefined)
      writeFileSync(2, `${report.map((row) => JSON.stringify(row)).join('\n')}\n`);
  }
  expect(bystander.problems).toEqual([]);
});
