// A tap on the line between a client and the server: passes every byte on and writes down the messages, so that a
// failure can be shown as the words that were said. As a program: `tap.mjs LOG COMMAND ARGS…` for stdio.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import { fileURLToPath } from 'node:url';

const SELF = fileURLToPath(import.meta.url);

/** The command that stands between a client and the stdio server `command`. */
export function tapCommand(command, log) {
  return [process.execPath, SELF, log, ...command];
}

/** A loopback address that stands for `target`. */
export async function openHttpTap(target, log) {
  const { origin, pathname } = new URL(target);
  const server = createServer((request, response) => {
    const body = [];
    request.on('data', (chunk) => body.push(chunk));
    request.on('end', () => writeLine(log, '>', `${describe(request)} ${Buffer.concat(body)}`));
    const { method, headers } = request;
    const upstream = forward(new URL(request.url, origin), { method, headers }, (answer) => {
      writeLine(log, '<', `${answer.statusCode} ${answer.headers['content-type'] ?? ''}`);
      response.writeHead(answer.statusCode, answer.headers);
      response.flushHeaders();
      answer.on('data', (chunk) => writeLine(log, '<', chunk));
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy()); // For a modern server the end of the stream is a cancellation.
    request.pipe(upstream);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}${pathname}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function describe({ method, url, headers }) {
  const told = ['accept', 'mcp-protocol-version', 'mcp-session-id', 'mcp-method', 'mcp-name', 'last-event-id'];
  const said = told.filter((name) => headers[name]).map((name) => `${name}=${headers[name]}`);
  return [method, url, ...said].join(' ');
}

function writeLine(log, direction, text) {
  const line = String(text)
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ⏎ ');
  if (line) appendFileSync(log, `${new Date().toISOString().slice(11, 23)} ${direction} ${line}\n`);
}

/** What a log says of the call in it: whether there was one, in which revision, over what, and whether it failed. */
export function readWire(log, method = 'tools/call') {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
  const sent = lines.filter((line) => line.slice(13, 14) === '>');
  const answered = lines.filter((line) => line.slice(13, 14) === '<').join('\n');
  const call = sent.find((line) => /"method":\s*"([^"]+)"/.exec(line)?.[1] === method);
  const modern = /"io\.modelcontextprotocol\/protocolVersion":\s*"([^"]+)"/.exec(call ?? '')?.[1];
  const agreed = [...answered.matchAll(/"protocolVersion":\s*"([^"]+)"/g)].at(-1)?.[1];
  return {
    lines,
    called: call !== undefined,
    revision: modern ?? agreed,
    failed: /"isError":\s*true/.test(answered),
    old: /event: endpoint/.test(answered), // The first event of HTTP+SSE, and of nothing else.
  };
}

/** Every text in the JSON bodies that were sent, however deep. */
export function readSent(log) {
  const sent = readWire(log).lines.filter((line) => line.slice(13, 14) === '>' && line.includes('{'));
  return sent.flatMap((line) => textsIn(JSON.parse(line.slice(line.indexOf('{')))));
}

function textsIn(value) {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function runTap([log, command, ...args]) {
  const child = spawn(command, args, { stdio: 'pipe' });
  const passOn = (from, to, direction) => {
    let rest = '';
    from.on('data', (chunk) => {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop();
      for (const part of parts) writeLine(log, direction, part);
    });
    from.on('end', () => writeLine(log, direction, `${rest} (end of stream)`));
    from.pipe(to);
  };
  child.stdin.on('error', () => {});
  passOn(process.stdin, child.stdin, '>');
  passOn(child.stdout, process.stdout, '<');
  passOn(child.stderr, process.stderr, '!'); // Why a server ended is often only there.
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      writeLine(log, '>', `(${signal})`);
      child.kill(signal);
    });
  }
  child.on('exit', (code, signal) => {
    writeLine(log, '<', `(exit ${code ?? signal})`);
    process.exitCode = code ?? 1;
    process.stdin.destroy();
  });
}

if (process.argv[1] === SELF) runTap(process.argv.slice(2));
