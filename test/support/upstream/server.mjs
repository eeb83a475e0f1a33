// A small MCP server of either era over stdio, whose tools fail, hang, ask and report in known ways.
// Arguments: --era session|stateless|silent (knows no discover, and does not answer it), --tools FILE (read for every list; an object is an error).
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const era = option('era', 'session');
const file = option('tools', '');
const version = 'io.modelcontextprotocol/protocolVersion';
const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });
const names = ['echo', 'fail', 'refuse', 'crash', 'hang', 'report', 'elicit', 'sample', 'roots', 'env', 'pid', 'rich'];
const plain = names.map((name) => ({
  name,
  description: `The tool ${name}`,
  inputSchema: { type: 'object', properties: { value: { type: 'string' } } },
  annotations: { readOnlyHint: true },
}));
const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true },
  prompts: {},
  completions: {},
  logging: {},
  ...(era !== 'stateless' && { tasks: { requests: { tools: { call: {} } }, cancel: {} } }),
};
const icons = [{ src: 'https://small.example/one.png' }, { src: 'file:///etc/passwd' }];
const serverInfo = { name: 'small', version: '1.0.0' };
const questions = {
  elicit: {
    method: 'elicitation/create',
    params: { message: 'Name?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
  },
  sample: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 10 } },
  roots: { method: 'roots/list' },
};

let nextId = 1_000;
const waiting = new Map();
const cancelled = [];

/** In a session the client is asked; without one, it repeats the request with the answer. */
async function ask(question, { inputResponses, requestState }) {
  if (era === 'stateless') {
    if (inputResponses?.one) return { answer: inputResponses.one, state: requestState };
    return { pause: { resultType: 'input_required', inputRequests: { one: question }, requestState: 'sealed' } };
  }
  const id = nextId++;
  const answer = await new Promise((resolve) => {
    waiting.set(id, resolve);
    write({ id, ...question });
  });
  return { answer };
}

/** A task that asks for a name, in the form of its era. */
const task = { taskId: 'task-1', status: 'input_required', statusMessage: 'waiting for a name' };

function begin({ task: wanted, _meta: meta }) {
  const { extensions = {} } = meta?.['io.modelcontextprotocol/clientCapabilities'] ?? {};
  if (wanted && era !== 'stateless') return { task: { ...task, ttl: wanted.ttl, pollInterval: 1 } };
  if (!extensions['io.modelcontextprotocol/tasks']) throw { code: -32601, message: 'only as a task' };
  return { ...task, resultType: 'task', ttlMs: 1_000, pollIntervalMs: 1, inputRequests: { one: questions.elicit } };
}

/** A page that the user has to open first: an error in a session, a question without one. */
const page = { mode: 'url', message: 'Allow it', url: 'https://small.example/allow', elicitationId: 'page-1' };
let isOpened = false;

async function openPage({ inputResponses }) {
  if (era === 'stateless')
    return inputResponses
      ? text('opened')
      : { resultType: 'input_required', inputRequests: { one: { method: 'elicitation/create', params: page } } };
  if (isOpened) return text('opened');
  isOpened = true;
  throw { code: -32042, message: 'open a page first', data: { elicitations: [page] } };
}

const outcome = (answer) => text(`task done for ${answer.content.name}`);

/** Watched resources, by the request that listens to them; in sessions by none. */
let watched = [];

function listen(id, { notifications: { resourceSubscriptions: uris = [] } }) {
  watched.push(...uris.map((uri) => ({ uri, id })));
  const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
  write({ method: 'notifications/subscriptions/acknowledged', params: { notifications: {}, _meta } });
}

function reportNews() {
  for (const { uri, id } of watched)
    write({
      method: 'notifications/resources/updated',
      params: { uri, ...(id !== undefined && { _meta: { 'io.modelcontextprotocol/subscriptionId': id } }) },
    });
  return `reported ${watched.length} times`;
}

async function call(params) {
  const { name, arguments: args = {}, _meta: meta = {} } = params;
  if (name === 'later') return begin(params);
  if (name === 'page') return openPage(params);
  if (name === 'news') return text(reportNews());
  if (name === 'fail') return { ...text(args.value ?? 'it failed'), isError: true };
  if (name === 'crash') {
    process.stderr.write(`about to crash\n${args.value ?? ''}\n`);
    process.exit(3);
  }
  if (name === 'hang') return new Promise(() => {});
  if (name === 'refuse') throw { code: -32602, message: 'bad arguments', data: { why: 'because' } };
  if (name === 'report') {
    write({ method: 'notifications/message', params: { level: 'info', data: 'halfway', logger: 'small' } });
    const progressToken = meta.progressToken;
    if (progressToken !== undefined)
      write({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2, message: 'half' } });
    return text('reported');
  }
  if (name in questions) {
    const { answer, pause, state } = await ask(questions[name], params);
    return pause ?? text(JSON.stringify({ answer, ...(state && { state }) }));
  }
  if (name === 'env') return text(JSON.stringify(process.env));
  if (name === 'pid') return text(process.pid);
  if (name === 'cancelled') return text(JSON.stringify(cancelled));
  if (name === 'change') {
    write({ method: 'notifications/tools/list_changed' });
    return text('changed');
  }
  if (name === 'child') return text(spawn('sleep', ['1000'], { stdio: 'ignore' }).pid);
  if (name === 'big') return text('x'.repeat(Number(args.value)));
  if (name === 'rich')
    return {
      content: [
        { type: 'text', text: 'a picture' },
        { type: 'image', data: 'AQI=', mimeType: 'image/png' },
        { type: 'resource_link', uri: 'small://one', name: 'one' },
      ],
      structuredContent: { pictures: 1 },
    };
  if (name === 'book') {
    const isDate = /^\d{4}-\d\d-\d\d$/.test(args.date);
    return isDate ? text('booked') : { ...text(`Invalid date "${args.date}": try again`), isError: true };
  }
  if (name === 'echo') return text(args.value ?? '');
  return text(`${name} ${JSON.stringify(args)}`);
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: option('revision', protocolVersion),
    capabilities,
    serverInfo,
    instructions: 'Be kind.',
  }),
  'server/discover': () => ({ supportedVersions: ['2026-07-28'], capabilities, serverInfo }),
  ping: () => ({}),
  'tools/list': ({ cursor }) => {
    const tools = file === '' ? plain : JSON.parse(readFileSync(file, 'utf8'));
    if (!Array.isArray(tools)) throw tools;
    // In two pages.
    return cursor ? { tools: tools.slice(1) } : { tools: tools.slice(0, 1), nextCursor: 'rest' };
  },
  'tasks/get': () => task,
  'tasks/result': async () => outcome((await ask(questions.elicit, {})).answer),
  'tasks/update': ({ inputResponses }) => {
    Object.assign(task, { status: 'completed', result: outcome(inputResponses.one) });
    return {};
  },
  'resources/list': () => ({
    resources: [{ uri: 'small://one', name: 'one', annotations: { audience: ['user'], priority: 0.5 }, icons }],
  }),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'small://{id}', name: 'any' }] }),
  'resources/subscribe': ({ uri }) => {
    watched.push({ uri });
    return {};
  },
  'resources/unsubscribe': ({ uri }) => {
    watched = watched.filter((one) => one.uri !== uri);
    return {};
  },
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: `content of ${uri}` }] }),
  'prompts/list': () => ({
    prompts: [{ name: 'greet', arguments: [{ name: 'who', title: 'Who', description: 'Whom to greet' }] }],
  }),
  'prompts/get': ({ arguments: args }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Hello ${args.who}` } }],
  }),
  'completion/complete': ({ argument }) => ({ completion: { values: [`${argument.value}-complete`] } }),
};

async function answer({ id, method, params = {} }) {
  const isModern = params._meta?.[version] !== undefined;
  if (method === 'server/discover' && era === 'silent') return;
  if (method === 'subscriptions/listen') return listen(id, params);
  const isKnown =
    method === 'tools/call' || (Object.hasOwn(methods, method) && (method !== 'server/discover' || isModern));
  const isOfEra =
    (method !== 'initialize' || era !== 'stateless') && (method !== 'server/discover' || era === 'stateless');
  try {
    if (!isKnown || !isOfEra) throw { code: -32601, message: 'Method not found' };
    const result = method === 'tools/call' ? await call(params) : await methods[method](params);
    write({ id, result: isModern ? { resultType: 'complete', ...result } : result });
  } catch (error) {
    write({ id, error });
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === 'notifications/cancelled') {
    cancelled.push(message.params.requestId);
    watched = watched.filter(({ id }) => id !== message.params.requestId);
  }
  if (message.method === undefined) {
    waiting.get(message.id)?.(message.result ?? message.error);
    waiting.delete(message.id);
  } else if (message.id !== undefined) void answer(message);
});
