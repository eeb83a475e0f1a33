// A request over a kept connection.
import { request } from 'node:http';

/**
 * @param {string} url @param {string} path @param {string} body @param {import('node:http').Agent} agent
 * @returns {Promise<{ status: number, ms: number }>}
 */
export function post(url, path, body, agent) {
  const started = performance.now();
  return new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'content-length': Buffer.byteLength(body),
    };
    const sent = request(new URL(path, url), { method: 'POST', headers, agent }, (response) => {
      response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, ms: performance.now() - started }));
    });
    sent.on('error', () => resolve({ status: 0, ms: performance.now() - started }));
    sent.end(body);
  });
}
