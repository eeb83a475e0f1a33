// The bare HTTP server: node:http, POST only, JSON answers, sessions in a Map. Started as `http PORT`.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { answerMessage } from './bare-answer.mjs';

/** @type {Map<string, { protocolVersion: string, opened: number }>} */
const sessions = new Map();

createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const message = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    /** @type {Record<string, string | number>} */
    const headers = { 'content-type': 'application/json' };
    if (message.method === 'initialize') {
      const id = randomUUID();
      sessions.set(id, { protocolVersion: message.params.protocolVersion, opened: Date.now() });
      headers['mcp-session-id'] = id;
    } else if (!sessions.has(String(request.headers['mcp-session-id']))) {
      response.writeHead(404).end();
      return;
    }
    const answer = answerMessage(message);
    if (!answer) {
      response.writeHead(202).end();
      return;
    }
    const body = JSON.stringify(answer);
    headers['content-length'] = Buffer.byteLength(body);
    response.writeHead(200, headers).end(body);
  });
}).listen(Number(process.argv[3]), '127.0.0.1');
