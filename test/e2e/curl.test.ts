// The curl commands from a user's document, run as printed, except for the port and the session id.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { serveLore } from '../support/http.ts';

const initialize = `curl -X POST http://localhost:8081/mcp \\
     -H "Content-Type: application/json" \\
     -H "Accept: application/json, text/event-stream" \\
     -d '{"jsonrpc":"2.0","id":"1","method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"test","version":"1.0"}}}'`;
const callTool = `curl -X POST http://localhost:8081/mcp \\
     -H "Content-Type: application/json" \\
     -H "Accept: application/json, text/event-stream" \\
     -H "Mcp-Session-Id: <session-id-from-init>" \\
     -d '{"jsonrpc":"2.0","id":"2","method":"tools/call","params":{"name":"checkpoint_save","arguments":{"content":"test","project_path":"/tmp"}}}'`;
const openStream = `curl -N -H "Accept: text/event-stream" \\
     -H "Mcp-Session-Id: <session-id>" \\
     http://localhost:8081/mcp`;

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
  const start = (line: string, shown: string, session = '') => {
    const here = line.replace(':8081', `:${new URL(url).port}`).replace(/<session-id.*?>/, session);
    return spawn('sh', ['-c', `exec ${here} -s ${shown}`]);
  };
  const run = async (line: string, session?: string) => {
    const child = start(line, '-i', session);
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
