// Calls of public MCP servers that are mounted behind ours: a file, a graph, an image, progress, a question to the user and a
// resource. context7 speaks only the newest revision, the others only sessions, so every client crosses the two eras.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { installClient } from './install.mjs';

const VERSION = '2026.8.31';
const reference = (id) => ({ id: `server-${id}`, package: `@modelcontextprotocol/server-${id}`, version: VERSION });
const packages = {
  everything: { ...reference('everything'), bin: 'mcp-server-everything' },
  files: { ...reference('filesystem'), bin: 'mcp-server-filesystem' },
  knowledge: { ...reference('memory'), bin: 'mcp-server-memory' },
  library: { id: 'server-context7', package: '@upstash/context7-mcp', version: '4.1.1', bin: 'context7-mcp' },
};

/** Installs the servers, and opens a stand-in for the API that context7 asks. */
export async function openMounted(cache, node) {
  const programs = {};
  for (const [name, server] of Object.entries(packages)) {
    programs[name] = (await installClient(cache, server, node))(server.bin);
  }
  const found = { results: [{ id: '/honojs/hono', title: 'Hono', description: 'A web framework' }] };
  const api = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found));
  });
  await new Promise((resolve) => api.listen(0, '127.0.0.1', resolve));
  return {
    node,
    programs,
    api: `http://127.0.0.1:${api.address().port}`,
    close() {
      api.close();
      api.closeAllConnections();
    },
  };
}

/** What the user answers to the form of server-everything. */
export const answers = { name: 'Ada', check: true };

/** A document of server-everything, and a line of it. */
export const resource = {
  uri: 'lore+everything:demo://resource/static/document/features.md',
  expect: 'Features',
};

/** The question has to reach the client, and its answer the server. */
export const question = {
  name: 'mounted: question',
  tool: 'tool_write',
  input: { name: 'everything_trigger_elicitation_request' },
  expect: 'Ada',
};

/** Mounts the servers for the client's user, and returns the calls that every client makes. */
export async function mountServers(entry, { cwd, home, path }, { node, programs, api }) {
  const notes = join(home, 'notes');
  mkdirSync(notes);
  writeFileSync(join(notes, 'port.txt'), 'The staging port is 8443.\n');
  const graph = `MEMORY_FILE_PATH=${join(home, 'graph.jsonl')}`;
  const commands = [
    ['mount', 'everything', '--', node, programs.everything, 'stdio'],
    ['mount', 'files', '--', node, programs.files, notes],
    ['mount', 'knowledge', '--env', graph, '--', node, programs.knowledge],
    ['mount', 'library', '--env', `CONTEXT7_API_URL=${api}`, '--', node, programs.library],
    ...['everything', 'knowledge'].map((name) => ['allow', name, '--level', 'write']),
  ];
  for (const args of commands) {
    const env = { PATH: path, HOME: home };
    const end = await runChild(process.execPath, [entry, ...args], { cwd, env, timeoutMs: 60_000 });
    if (end.code !== 0) throw new Error(`Cannot run lore ${args.join(' ')}: ${end.text}`);
  }
  const fenced = (tool, text) => new RegExp(`<(lore-data-\\w+)>\\n\\[${tool}\\b[^]*${text}[^]*</\\1>`);
  const entities = [{ name: 'Gateway', entityType: 'service', observations: ['listens on 8443'] }];
  const read = (name, args) => ({ tool: 'tool_read', input: { name, arguments: args } });
  return [
    {
      name: 'mounted: file',
      ...read('files_read_text_file', { path: join(notes, 'port.txt') }),
      expect: 'staging port',
      sees: fenced('files_read_text_file', 'The staging port is 8443\\.'),
    },
    {
      name: 'mounted: graph',
      tool: 'tool_write',
      input: { name: 'knowledge_create_entities', arguments: { entities } },
      expect: 'listens on 8443',
      sees: fenced('knowledge_create_entities', 'listens on 8443'),
    },
    {
      name: 'mounted: newest revision',
      ...read('library_resolve_library_id', { libraryName: 'hono', query: 'routes' }),
      expect: '/honojs/hono',
      sees: fenced('library_resolve_library_id', '/honojs/hono'),
    },
    {
      name: 'mounted: image',
      ...read('everything_get_tiny_image', {}),
      expect: 'image',
      sees: /^(data:image\/png;base64,)?iVBORw0KGgo/,
    },
    {
      name: 'mounted: progress',
      ...read('everything_trigger_long_running_operation', { duration: 1, steps: 4 }),
      expect: 'completed',
      wire: /"method":\s*"notifications\/progress".*"progress":\s*[1-4]/,
    },
  ];
}
