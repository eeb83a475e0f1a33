// The curl commands from a user's document, run as printed, except for the port and the session id.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { serveLore } from '../support/http.ts';

const line = (name: string) =>
  readFileSync(new URL(`../fixtures/documents/contextd/curl-${name}.txt`, import.meta.url), 'utf8').trim();
const [initialize, callTool, openStream] = [line('initialize'), line('tools-call'), line('stream')];

function findProblem(): string {
  if (process.platform === 'win32') return 'the lines are for a POSIX shell';
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' });
    return '';
  } catch {
    return 'there is no curl';
  }
}

const problem = findProblem();

it.skipIf(problem)(`the three curl lines work as printed${problem && ` (skipped: ${problem})`}`, async () => {
  const { url } = await serveLore();
  // With options that only change what curl shows: no progress meter, and headers.
  const start = (command: string, shown: string, session = '') => {
    const here = command.replace(':8081', `:${new URL(url).port}`).replace(/<session-id.*?>/, session);
    return spawn('sh', ['-c', `exec ${here} -s ${shown}`]);
  };
  const run = async (command: string, session?: string) => {
    const child = start(command, '-i', session);
    let text = '';
    child.stdout.on('data', (part: Buffer) => {
      text += part;
    });
    await once(child, 'close');
    return text;
  };

  const opened = await run(initialize);
  expect(opened).toMatch(/^HTTP\/1.1 200 /);
  expect(opened).toContain('"protocolVersion":"2024-11-05"');
  const session = /^mcp-session-id: (.*?)\r$/im.exec(opened)?.[1] ?? '';
  expect(session).not.toBe('');

  const saved = await run(callTool, session);
  expect(saved).toMatch(/^HTTP\/1.1 200 /);
  expect(saved).toContain('"id":"2"');
  expect(saved).not.toContain('"isError":true');

  const stream = start(openStream, '-v', session);
  onTestFinished(() => void stream.kill());
  let shown = '';
  for await (const part of stream.stderr) {
    shown += part;
    if (shown.includes('\n< \r\n')) break;
  }
  expect(shown).toMatch(/^< HTTP\/1.1 200 /m);
  expect(shown).toMatch(/^< content-type: text\/event-stream/im);
});
