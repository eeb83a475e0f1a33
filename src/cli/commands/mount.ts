// lore mount

import { isAbsolute, resolve } from 'node:path';
import type { App } from '../../app.ts';
import type { Command, Invocation } from '../../core/command.ts';
import { LoreError } from '../../core/error.ts';
import { folderBeside } from '../../core/location.ts';
import { listTakenNames } from '../../core/service.ts';
import type { Gateway } from '../../services/gateway/gateway.ts';
import type { Mount, ToolRules } from '../../services/gateway/mount/mount.ts';
import { realFolder } from '../../services/gateway/mount/profile.ts';
import { readEnvironment } from '../environment.ts';
import { describeMount, listMounts, reportMount, showTool } from '../mount-output.ts';
import { reviewMount } from '../mount-review.ts';
import { startOnce } from '../start.ts';
import { usageError } from '../usage.ts';

type Run = (gateway: Gateway, name: string, rest: readonly string[], invocation: Invocation) => Promise<number>;

const verbs: { readonly [verb: string]: Run } = {
  list: async (gateway, _name, _rest, { output }) => listMounts(gateway, output),
  show: async (gateway, name, [tool], { output }) =>
    tool === undefined ? describeMount(gateway, name, output) : showTool(gateway, name, tool, output),
  review: reviewMount,
  async test(gateway, name, _rest, { output }) {
    const started = performance.now();
    const state = await gateway.refresh(name);
    const ms = Math.round(performance.now() - started);
    return reportMount(gateway, state, output, `Connected to ${name} in ${ms} ms`);
  },
  async import(gateway, name, rest, invocation) {
    const { importServers } = await import('../mount-import.ts');
    return importServers(gateway, name, rest, invocation);
  },
  async login(gateway, name, _rest, invocation) {
    const { logInToServer } = await import('../mount-login.ts');
    const state = await logInToServer(gateway, name, invocation);
    return reportMount(gateway, state, invocation.output, `Logged in to ${name}`);
  },
  async profile(gateway, name, [folder = '.'], { options, output }) {
    const rules = options.undo ? undefined : readRules(options);
    const named = resolve(folder);
    // One that is gone can still be removed.
    const top = realFolder(named) ?? (rules ? undefined : named);
    if (top === undefined)
      throw new LoreError('not_found', `Cannot set a profile in "${named}": there is no such folder`);
    if (rules && Object.keys(rules).length === 0)
      throw usageError(mount, 'Missing option: expected --include, --exclude, --lock, --default or --undo');
    await gateway.setProfile(name, top, rules);
    if (output.json) output.printJson({ name, folder: top, ...rules });
    else output.print(`${rules ? 'Set' : 'Removed'} the profile of ${name} in ${top}`);
    return 0;
  },
  async restart(gateway, name, _rest, { output }) {
    await gateway.restart(name);
    return reportMount(gateway, gateway.store.get(name), output, `Restarted ${name}`);
  },
  async logs(gateway, name, _rest, { options, output }) {
    const { readLog } = await import('../../services/gateway/life/log-file.ts');
    gateway.store.get(name);
    const lines = readLog(gateway.store.runFolder(), name, Number(options.lines ?? 50));
    if (output.json) output.printJson(lines);
    else output.print(lines.length > 0 ? lines.join('\n') : `${name} has printed nothing.`);
    return 0;
  },
  async unmount(gateway, name, _rest, { output }) {
    await gateway.remove(name);
    if (output.json) output.printJson({ removed: name });
    else output.print(`Removed ${name}, its approvals and its credentials.`);
    return 0;
  },
};
const reading = ['list', 'show', 'logs'];

export const mount: Command = {
  name: 'mount',
  summary: 'Put other MCP servers behind this one: their tools are found and called like those of APIs.',
  usage:
    '<name> <url> | <name> -- <command…> | import <program> [server…] | list | show <name> [tool] | test <name> | review <name> [tool…] | profile <name> [folder] | login <name> | restart <name> | logs <name> | unmount <name>',
  takesText: true,
  options: {
    env: {
      type: 'string',
      multiple: true,
      help: 'Environment variable of the server: KEY takes its value from here, KEY=value sets it; stored encrypted',
      value: 'key',
    },
    header: {
      type: 'string',
      multiple: true,
      help: 'HTTP header, and the environment variable that has its value now; stored encrypted',
      value: 'name=key',
    },
    folder: { type: 'string', help: 'Working directory of the server', value: 'folder' },
    include: {
      type: 'string',
      multiple: true,
      help: 'Use only tools with such names; * stands for any text',
      value: 'pattern',
    },
    exclude: { type: 'string', multiple: true, help: 'Do not use tools with such names', value: 'pattern' },
    lock: {
      type: 'string',
      multiple: true,
      help: 'Argument that always has this value, and that models do not see',
      value: 'name=value',
    },
    default: { type: 'string', multiple: true, help: 'Argument that calls need not give', value: 'name=value' },
    undo: { type: 'boolean', help: 'With import: move the servers back. With profile: remove it' },
    client: {
      type: 'string',
      help: 'With login: id of the client, if the server registers none; an https address is that of a document about it',
      value: 'id',
    },
    'client-secret': {
      type: 'string',
      help: 'With login: environment variable that has the secret of the client; stored encrypted',
      value: 'key',
    },
    'client-key': {
      type: 'string',
      help: 'With login: file with a private key (PEM) that signs for the client; stored encrypted',
      value: 'file',
    },
    'as-client': { type: 'boolean', help: 'With login: log in as the client itself, without a person' },
    assertion: {
      type: 'string',
      help: 'With login: environment variable that has a signed identity (JWT) to log in with, without a browser',
      value: 'key',
    },
    'identity-provider': {
      type: 'string',
      help: 'With --assertion: token endpoint that exchanges the id token of a person for access to the server',
      value: 'url',
    },
    'identity-client': { type: 'string', help: 'With --identity-provider: id of the client there', value: 'id' },
    scopes: {
      type: 'string',
      help: 'With login: scopes to ask for, instead of those that the server names',
      value: 'list',
    },
    callback: { type: 'string', help: 'With login: port that the browser returns to', value: 'port' },
    approve: { type: 'boolean', help: 'With review: approve without asking' },
    lines: { type: 'string', help: 'With logs: number of lines (default 50)', value: 'number' },
  },
  examples: [
    [
      'lore mount files -- npx -y @modelcontextprotocol/server-filesystem ~/notes',
      'a program, which is started when it is needed',
    ],
    ['lore mount linear https://mcp.linear.app/mcp', 'a server over HTTP'],
    [
      'lore mount github --env GITHUB_TOKEN --lock owner=acme -- github-mcp-server stdio',
      'with a secret and a fixed argument',
    ],
    ['lore mount login linear', 'log in with a browser; the tokens are stored encrypted'],
    [
      'lore mount login reports --client ci --client-secret REPORTS_SECRET --as-client',
      'log in without a person, as a program',
    ],
    ['lore mount profile github ~/work/site --lock repo=site', 'a fixed argument in one project'],
    ['lore mount import claude-code', 'move the servers of a program behind this one; --undo moves them back'],
    ['lore mount list', 'all mounts, and their state'],
    ['lore mount review github', 'approve tools that changed'],
    ['lore allow github --level write', 'let its tools change data without asking'],
  ],
  async run(invocation) {
    const { words, flags } = invocation;
    const [first = 'list', second = '', ...rest] = words;
    const verb = Object.hasOwn(verbs, first) ? first : undefined;
    if (verb !== undefined && verb !== 'list' && second === '') throw usageError(mount, `Missing argument <name>`);
    if (verb === undefined && second === '') throw usageError(mount, `Missing argument: expected a URL or a command`);
    const app = await startOnce({ flags });
    const gateway = await openOwn(app);
    try {
      const run = () =>
        verb === undefined
          ? add(gateway, first, [second, ...rest], invocation)
          : (verbs[verb] as Run)(gateway, second, rest, invocation);
      if (verb !== undefined && reading.includes(verb)) return await run();
      const facts = verb === undefined ? { verb: 'add', name: first, from: second } : { verb, name: second };
      return await app.registry.perform('mount', [], facts, run);
    } finally {
      await gateway.close();
      await app.stop();
    }
  },
};

async function openOwn({ config, offered }: App): Promise<Gateway> {
  const { openGateway } = await import('../../services/gateway/gateway.ts');
  return openGateway({
    folder: folderBeside(config.values.db),
    reserved: async () => [...Object.keys(verbs), ...(await listTakenNames(offered, 'gateway'))],
  });
}

async function add(
  gateway: Gateway,
  name: string,
  target: readonly string[],
  { options, output }: Invocation,
): Promise<number> {
  const { env, header } = options as { [name: string]: readonly string[] | undefined };
  const [program = '', ...args] = target;
  const isUrl = /^https?:\/\//i.test(program) && args.length === 0;
  const variables = (env ?? []).map(readVariable);
  const headers = (header ?? []).map(readHeader);
  const profiles = gateway.store.find(name)?.mount.profiles;
  const common = { name, ...readRules(options), ...(profiles && { profiles }), addedAt: Date.now() };
  const folder = typeof options.folder === 'string' ? { folder: resolve(options.folder) } : {};
  const names = variables.map(([key]) => key);
  const draft: Mount = isUrl
    ? { ...common, url: readUrl(program), ...(headers.length > 0 && { headers: headers.map(([key]) => key) }) }
    : {
        ...common,
        command: { program: findProgramPath(program), args, ...folder, ...(names.length > 0 && { env: names }) },
      };
  const { credentialName } = await import('../../services/gateway/gateway.ts');
  const secrets = Object.fromEntries([
    ...variables.map(([key, value]) => [credentialName('env', key), value]),
    ...headers.map(([key, value]) => [credentialName('header', key), value]),
  ]);
  const isNew = gateway.store.find(name) === undefined;
  const state = await gateway.add(draft, secrets);
  return reportMount(gateway, state, output, `${isNew ? 'Mounted' : 'Updated'} ${name}`);
}

function readRules(options: Invocation['options']): ToolRules {
  const { include, exclude, lock, default: defaults } = options as { [name: string]: readonly string[] | undefined };
  return {
    ...(include && { include }),
    ...(exclude && { exclude }),
    ...(lock && { locked: readValues(lock, '--lock') }),
    ...(defaults && { defaults: readValues(defaults, '--default') }),
  };
}

/** A path is meant from here, not from the working directory of the server. */
function findProgramPath(program: string): string {
  return /[\\/]/.test(program) && !isAbsolute(program) ? resolve(program) : program;
}

function readUrl(text: string): string {
  if (URL.canParse(text) && new URL(text).username === '') return text;
  throw new LoreError('invalid_input', `Cannot use the address "${text}": it is not valid, or contains a password`);
}

function readVariable(text: string): [key: string, value: string] {
  const at = text.indexOf('=');
  const key = at < 0 ? text : text.slice(0, at);
  return [key, at < 0 ? readEnvironment(key) : text.slice(at + 1)];
}

function readHeader(text: string): [name: string, value: string] {
  const [, name = '', key = ''] = /^([\w-]+)=(\w+)$/.exec(text) ?? [];
  if (name === '')
    throw new LoreError(
      'invalid_input',
      `Cannot use --header "${text}": expected a name and a variable, as in Authorization=TOKEN`,
    );
  return [name, readEnvironment(key)];
}

/** JSON where it is, text otherwise. */
function readValues(pairs: readonly string[], option: string): { [name: string]: unknown } {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new LoreError('invalid_input', `Cannot use ${option} "${pair}": expected name=value`);
      const text = pair.slice(at + 1);
      try {
        return [pair.slice(0, at), JSON.parse(text) as unknown];
      } catch {
        return [pair.slice(0, at), text];
      }
    }),
  );
}
