// The messages that the documents of five systems print, and the comparison of a response with the printed one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { root } from './bundle.ts';
import type { Json } from './stdio-client.ts';

export type System = 'contextgraph-ghost' | 'github-to-mcp' | 'kuzu-memory' | 'contextd' | 'sysmcp';

/** By the first cell of each row of the guide: the differences that a replay finds. Some rows are not about a message. */
export const allowed: Record<System, Record<string, readonly string[]>> = {
  'contextgraph-ghost': {
    '`-32602` and `-32603` for a tool that fails, in every revision': [],
    '`-32800` for a request that the client cancelled': [],
    'A broad query fails': [],
    'Servers are configured in `.claude/settings.local.json`': [],
    'Tool results contain `resource` content': [],
    'Tools are added with `McpServer.tool`': [],
  },
  'github-to-mcp': {
    '`search_code` has `caseSensitive`, false by default': ['search-code inputSchema.properties.caseSensitive'],
    'Every argument has a description': ['search-code inputSchema.properties.query.description'],
    '`read_file` returns the bare text': ['tools-call text'],
    '`-32602` for a missing argument, in every revision': [],
    'HTTP needs no `initialize`': [],
    'A path with `..` is refused': [],
    'Tool results contain `resource` content': [],
    'Sensitive tools check who calls': [],
    'A server is generated from a repository': [],
  },
  'kuzu-memory': {
    '`-32001` for every tool that fails': [],
    '`-32002` for a failed `initialize`': [],
    'Batches in every revision': [],
    '`cleanup` deletes expired memories': [],
    'Large results are streamed': [],
    'Each tool runs the command line in a subprocess': [],
  },
  contextd: {
    '`406` unless both types are accepted': [],
    '`Mcp-Protocol-Version` on every later request': [],
    'Routes always answer in JSON-RPC': [],
    'All routes require authentication': [],
    'A stateless mode': [],
  },
  sysmcp: {
    'Every argument has a description': [
      'tools-list result.tools.eventlog_query.inputSchema.properties.limit.description',
      'tools-list result.tools.eventlog_query.inputSchema.properties.offset.description',
    ],
    '`success` and `data` in every revision': [],
    '`totalCount` is exact': [],
    '`ToolNotFound` in a result': [],
    '`ValidationError`': [],
    'The event log can be read at once': [],
    '`reg_write` writes at once': [],
    'Large results are streamed': [],
  },
};

export const documents = join(root, 'test/fixtures/documents');
export const replayed = new Set<string>();

export function read(system: System, name: string): string {
  replayed.add(join(system, name));
  return readFileSync(join(documents, system, name), 'utf8');
}

export const parse = (system: System, name: string) => JSON.parse(read(system, name)) as Json;
/** On stdio a message is one line. */
export const asLine = (text: string) => text.replace(/\n\s*/g, '');

/** Other values are examples: only their type matters. */
const exact = new Set(['jsonrpc', 'code', 'type', 'isError', 'success', 'protocolVersion', 'path', 'received']);

function* compare(printed: unknown, received: unknown, at: readonly string[] = []): Generator<string> {
  const key = at.at(-1) ?? '';
  if (Array.isArray(printed)) {
    if (!Array.isArray(received)) return yield at.join('.');
    for (const [index, entry] of printed.entries()) {
      const name = (entry as Json)?.name;
      const other = name === undefined ? received[index] : received.find((each) => each.name === name);
      yield* compare(entry, other, [...at, String(name ?? index)]);
    }
  } else if (typeof printed === 'object' && printed !== null) {
    if (typeof received !== 'object' || received === null) return yield at.join('.');
    for (const [name, entry] of Object.entries(printed)) {
      yield* compare(entry, (received as Json)[name], [...at, name]);
    }
  } else {
    const isExact = exact.has(key) || at.at(-2) === 'required' || (key === 'id' && at.length === 1);
    const same = isExact ? received === printed : typeof received === typeof printed;
    if (!same && !(printed === 'number' && received === 'integer')) yield at.join('.');
  }
}

/** The differences of one system. */
export class Replay {
  readonly system: System;
  readonly #found: string[] = [];

  constructor(system: System) {
    this.system = system;
  }

  compare(name: string, printed: unknown, received: unknown): void {
    for (const at of compare(printed, received)) this.#found.push(`${name} ${at}`);
  }

  note(difference: string): void {
    this.#found.push(difference);
  }

  finish(): void {
    expect(this.#found.sort()).toEqual(Object.values(allowed[this.system]).flat().sort());
  }
}
