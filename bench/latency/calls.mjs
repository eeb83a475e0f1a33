// Every tool that takes a long text, with that text at its greatest length; and messages that are hard to parse.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fill } from './texts.mjs';

/** @typedef {{ name: string, unit: string, path: string, body: string }} HostileCall */

/** @type {Record<string, { length: number, write: (text: string) => object }>} */
const takers = {
  remember: { length: 100_000, write: (content) => ({ content }) },
  enhance: { length: 100_000, write: (prompt) => ({ prompt }) },
  learn: { length: 2_000_000, write: (content) => ({ content }) },
  recall: { length: 20_000, write: (query) => ({ query }) },
  query_context: { length: 20_000, write: (query) => ({ query }) },
  checkpoint_save: { length: 1_000_000, write: (content) => ({ content }) },
  checkpoint_search: { length: 20_000, write: (query) => ({ query }) },
  checkpoint_resume: { length: 0, write: () => ({ level: 'full' }) },
  remediation_save: {
    length: 1_000_000,
    write: (error_msg) => ({ error_msg, solution: error_msg.slice(0, 50_000), diff: error_msg.slice(0, 100_000) }),
  },
  remediation_search: { length: 1_000_000, write: (error_msg) => ({ error_msg }) },
  troubleshoot: { length: 1_000_000, write: (error_message) => ({ error_message }) },
  collection_ingest: { length: 2_000_000, write: (content) => ({ collection_name: 'c', content, title: 'a.md' }) },
  'collection_ingest html': {
    length: 2_000_000,
    write: (content) => ({ collection_name: 'c', content, title: 'a.html' }),
  },
  collection_search: { length: 20_000, write: (query) => ({ query }) },
  skill_save: { length: 200_000, write: (content) => ({ name: 'one', content, description: 'It is one' }) },
  skill_search: { length: 20_000, write: (query) => ({ query }) },
  search_code: { length: 20_000, write: (query) => ({ query }) },
  'too long for remember': { length: 7_900_000, write: (content) => ({ content }) },
  'too long for read_file': { length: 2_600_000, write: (path) => ({ path }) },
  'too long for collection_search': { length: 2_600_000, write: (name) => ({ query: 'a', collection_name: name }) },
};

const fileLength = 4_000_000;
const messageLength = 7_900_000;

/** What reads a file of hostile text. @type {Record<string, { path: string, body: string }>} */
const readers = {
  read_file: { path: '/mcp/read/file', body: '{"path":"hostile.txt"}' },
  'search_code regex': { path: '/mcp/search/code', body: '{"query":".","mode":"regex","limit":50}' },
  'fs_search content': { path: '/mcp/fs/search', body: '{"content":"y"}' },
};

/**
 * Each kind of call, and its calls with the given texts, none longer than `most`.
 * @typedef {{ name: string, isShort?: boolean, list(texts: readonly string[], most: number): Iterable<HostileCall> }} CallKind
 * @param {string} folder the project's
 * @returns {Generator<CallKind>}
 */
export function* listCalls(folder) {
  for (const [name, { length, write }] of Object.entries(takers)) {
    const tool = name.startsWith('too long for ') ? name.slice('too long for '.length) : (name.split(' ')[0] ?? name);
    const path = `/mcp/${tool.replace('_', '/')}`;
    yield {
      name,
      *list(texts, most) {
        for (const unit of length === 0 ? texts.slice(0, 1) : texts)
          yield { name, unit, path, body: JSON.stringify(write(fill(unit, Math.min(length, most)))) };
      },
    };
  }
  for (const [name, { path, body }] of Object.entries(readers)) {
    yield {
      name,
      *list(texts, most) {
        for (const unit of texts) {
          writeFileSync(join(folder, 'hostile.txt'), fill(unit, Math.min(fileLength, most)));
          yield { name, unit, path, body };
        }
      },
    };
  }
  yield { name: 'message', isShort: true, list: () => listMessages() };
}

/** @returns {Generator<HostileCall>} */
function* listMessages() {
  for (const [unit, close] of messages) {
    const text = fill(unit, messageLength - (messageLength % unit.length));
    yield { name: 'message', unit, path: '/mcp', body: text };
    const args =
      close === undefined ? text : `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[${text}${close}]}}`;
    yield { name: 'message', unit: `[${unit}…]`, path: '/mcp', body: args };
  }
}

/** A unit, and what makes a list of them end. @type {readonly [string, string?][]} */
const messages = [
  ['['],
  ['{"a":'],
  ['[]'],
  ['[],', '1'],
  ['{},', '1'],
  ['1,', '1'],
  ['"",', '1'],
  ['"\\u0061",', '1'],
  ['{"a":1},', '1'],
  ['[[[[[1]]]]],', '1'],
  ['\\u0061'],
  [' '],
  ['"'],
];
