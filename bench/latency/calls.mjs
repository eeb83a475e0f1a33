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
};

const fileLength = 4_000_000;

/**
 * @param {string} folder the project's @param {readonly string[]} texts @param {(name: string) => boolean} wants
 * @returns {Generator<HostileCall>}
 */
export function* listCalls(folder, texts, wants) {
  for (const [name, { length, write }] of Object.entries(takers)) {
    if (!wants(name)) continue;
    const tool = name.startsWith('too long') ? 'remember' : (name.split(' ')[0] ?? name);
    for (const unit of texts)
      yield { name, unit, path: `/mcp/${tool.replace('_', '/')}`, body: JSON.stringify(write(fill(unit, length))) };
  }
  if (wants('read_file')) {
    for (const unit of texts) {
      writeFileSync(join(folder, 'hostile.txt'), fill(unit, fileLength));
      yield { name: 'read_file', unit, path: '/mcp/read/file', body: '{"path":"hostile.txt"}' };
      yield {
        name: 'search_code regex',
        unit,
        path: '/mcp/search/code',
        body: '{"query":".","mode":"regex","limit":50}',
      };
    }
  }
  if (!wants('message')) return;
  for (const [unit, close] of messages) {
    const text = fill(unit, 7_900_000 - (7_900_000 % unit.length));
    yield { name: 'message', unit, path: '/mcp', body: text };
    const args =
      close === undefined ? text : `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[${text}${close}]}}`;
    yield { name: 'message in arguments', unit, path: '/mcp', body: args };
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
