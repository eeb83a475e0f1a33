// Every program in every scope, with its files in every state they are found in: what is installed is there, a second time
// changes nothing, and uninstalling gives the bytes and folders there were.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../test/support/folder.ts';
import { LoreError } from '../core/error.ts';
import { type Agent, type AgentLocation, type InstallScope, type SettingsPart, scopes } from './agent.ts';
import { agents } from './agents.ts';
import { listOurEntries } from './entries.ts';
import { describeChange, planInstall, planUninstall, renderParts } from './install.ts';
import { parseJsonc, toValue } from './jsonc.ts';
import { findOtherNames, putPart, type Setup } from './part.ts';
import { openReceipts } from './receipt.ts';

const setup: Setup = {
  launch: { command: '/usr/bin/node', args: ['/opt/lorekeeper/bin/lore.cjs'] },
  portable: { command: 'lore', args: [] },
  platform: 'linux',
  env: {},
};
const moved: Setup = { ...setup, launch: { command: '/usr/bin/node', args: ['/srv/lorekeeper/bin/lore.cjs'] } };

function createMachine(env: NodeJS.ProcessEnv = {}) {
  const base = createFolder('machine');
  const place: AgentLocation = { platform: 'linux', home: join(base, 'home'), env, project: join(base, 'project') };
  for (const folder of [place.home, place.project]) mkdirSync(folder);
  const receipts = openReceipts(join(base, 'data', 'installed'));
  const partsOf = (agent: Agent, scope: InstallScope) => agent.scopes[scope]?.(place) ?? [];
  return {
    base,
    place,
    receipts,
    partsOf,
    install(agent: Agent, scope: InstallScope, how = setup, parts = partsOf(agent, scope)) {
      const steps = planInstall(`${agent.id} ${scope}`, parts, how, receipts);
      for (const step of steps) step.carryOut();
      return steps.map(({ does }) => does);
    },
    uninstall(agent: Agent, scope: InstallScope) {
      const steps = planUninstall(`${agent.id} ${scope}`, partsOf(agent, scope), receipts);
      for (const step of steps) step.carryOut();
      receipts.sweepFolders();
      return steps.map(({ does }) => does);
    },
    /** Every file and folder below the base, with bytes and modes. */
    look: () => Object.fromEntries(walk(base).map((path) => [relative(base, path), describePath(path)])),
  };
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...walk(path)] : [path];
  });
}

function describePath(path: string): string {
  const stats = lstatSync(path);
  if (stats.isDirectory()) return 'folder';
  return `${stats.isSymbolicLink() ? 'link ' : ''}${(stats.mode & 0o777).toString(8)} ${readFileSync(path, 'latin1')}`;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const others = { servers: '"a": { "command": "x", "args": ["stdio"] }', hook: '{ "command": "echo hi", "hooks": [] }' };

/** What a file may hold before us; `key` is where the program has its servers. */
const jsonStates: Record<string, (key: string) => string> = {
  empty: () => '',
  blank: () => ' \n\n',
  'an empty object': () => '{}',
  'only comments': () => '// settings\n/* none yet */\n',
  'other settings': () => '{\n  "theme": "dark", // mine\n}\n',
  'other servers': (key) => `{\n  "${key}": {\n    ${others.servers}\n  }\n}\n`,
  'an empty list of servers': (key) => `{ "${key}": {}, "hooks": {} }`,
  'servers with comments and trailing commas': (key) =>
    `{\n  // mine\n  "${key}": {\n    ${others.servers}, // first\n    /* "b": {} */\n  },\n}\n`,
  tabs: (key) => `{\n\t"${key}": {\n\t\t${others.servers}\n\t}\n}`,
  CRLF: (key) => `{\r\n    "${key}": {\r\n        ${others.servers}\r\n    }\r\n}\r\n`,
  BOM: (key) => `\uFEFF{"${key}":{${others.servers}}}`,
  'other hooks': () =>
    `{\n  "hooks": {\n    "SessionStart": [${others.hook}],\n    "sessionStart": [\n      ${others.hook}\n    ]\n  }\n}\n`,
};

const tomlStates: Record<string, () => string> = {
  empty: () => '',
  'other settings': () => 'model = "o5" # mine\n',
  'no newline at the end': () => '[features]\nx = true',
  'other servers': () =>
    '[mcp_servers.a]\ncommand = "x"\r\n\r\n[mcp_servers.a.env]\nK = """\n[mcp_servers.lorekeeper]\n"""\n# end\n',
};

function statesOf(part: SettingsPart): [string, string][] {
  if (part.kind === 'table') return Object.entries(tomlStates).map(([name, make]) => [name, make()]);
  const key = part.kind === 'server' ? (part.path.at(-1) as string) : 'servers';
  return Object.entries(jsonStates).map(([name, make]) => [name, make(key)]);
}

const everywhere = agents.flatMap((agent) =>
  scopes.filter((scope) => agent.scopes[scope]).map((scope) => ({ agent, scope, name: `${agent.id} ${scope}` })),
);

/** Whether a part of ours is in the file, seen without the code under test. */
function isIn(part: SettingsPart, scope: InstallScope): boolean {
  const text = existsSync(part.file) ? readFileSync(part.file, 'utf8') : '';
  if (part.kind === 'table') return text.includes('[mcp_servers.lorekeeper]');
  if (part.kind === 'hooks') return part.events.every((event) => text.includes(`lore.cjs hook ${event}"`));
  const root = parseJsonc(text);
  let value: unknown = root && toValue(root);
  for (const key of [...part.path, 'lorekeeper']) value = (value as Record<string, unknown> | undefined)?.[key];
  const first = (value as { args?: string[] } | undefined)?.args?.[0];
  return first === (scope === 'project' ? 'stdio' : '/opt/lorekeeper/bin/lore.cjs');
}

describe.each(everywhere)('$name', ({ agent, scope }) => {
  it('is added and removed without existing files', () => {
    const machine = createMachine();
    const before = machine.look();
    expect(new Set(machine.install(agent, scope))).toEqual(new Set(['create']));
    for (const part of machine.partsOf(agent, scope)) expect(isIn(part, scope), part.file).toBe(true);
    const installed = machine.look();
    expect(new Set(machine.install(agent, scope))).toEqual(new Set(['nothing']));
    expect(machine.look()).toEqual(installed);
    machine.uninstall(agent, scope);
    expect(machine.look()).toEqual(before);
    expect(new Set(machine.uninstall(agent, scope))).toEqual(new Set(['nothing']));
    expect(machine.look()).toEqual(before);
  });

  const files = new Map(
    createMachine()
      .partsOf(agent, scope)
      .map((part) => [part.file, part]),
  );
  const cases = [...files.values()].flatMap((part, index) =>
    statesOf(part).map(([name, text]) => ({ index, name, text })),
  );

  it.each(cases)('is added and removed in file $index with $name', ({ index, text }) => {
    const machine = createMachine();
    const parts = machine.partsOf(agent, scope);
    const file = [...new Set(parts.map((part) => part.file))][index] as string;
    write(file, text);
    chmodSync(file, 0o640);
    const before = machine.look();
    machine.install(agent, scope);
    for (const part of parts) expect(isIn(part, scope), part.file).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    const installed = machine.look();
    expect(new Set(machine.install(agent, scope))).toEqual(new Set(['nothing']));
    expect(machine.look()).toEqual(installed);
    machine.uninstall(agent, scope);
    expect(machine.look()).toEqual(before);
  });

  it.each(cases)('keeps what a user adds to file $index with $name', ({ index, text }) => {
    const machine = createMachine();
    const file = [...files.keys()][index] as string;
    const own = join(machine.base, relative(createBaseOf(file), file));
    write(own, text);
    machine.install(agent, scope);
    const added = own.endsWith('.toml') ? '\n[added]\nby = "a person"\n' : '\n// added by a person\n';
    writeFileSync(own, readFileSync(own, 'utf8') + added);
    machine.uninstall(agent, scope);
    const rest = readFileSync(own, 'utf8');
    expect(rest).toContain(added);
    expect(rest.replace(text, '')).not.toMatch(/lorekeeper|lore\.cjs/);
    if (!own.endsWith('.toml')) expect(read(rest)).toEqual(expect.objectContaining(read(text)));
    machine.install(agent, scope);
    machine.uninstall(agent, scope);
    expect(readFileSync(own, 'utf8')).toBe(rest);
  });

  it('is updated with a moved installation, and removed completely', () => {
    const machine = createMachine();
    const before = machine.look();
    machine.install(agent, scope);
    machine.install(agent, scope, moved);
    const texts = machine.partsOf(agent, scope).map((part) => readFileSync(part.file, 'utf8'));
    for (const text of texts) expect(text).not.toContain('/opt/lorekeeper');
    machine.uninstall(agent, scope);
    expect(machine.look()).toEqual(before);
  });

  it('writes through a link and keeps it', () => {
    const machine = createMachine();
    for (const [index, part] of machine.partsOf(agent, scope).entries()) {
      if (existsSync(part.file)) continue;
      const real = join(machine.base, `dotfile-${index}`);
      writeFileSync(real, part.kind === 'table' ? 'a = 1\n' : '{ "a": 1 }\n');
      mkdirSync(dirname(part.file), { recursive: true });
      symlinkSync(real, part.file);
    }
    const before = machine.look();
    machine.install(agent, scope);
    for (const part of machine.partsOf(agent, scope)) {
      expect(lstatSync(part.file).isSymbolicLink()).toBe(true);
      expect(isIn(part, scope)).toBe(true);
    }
    machine.uninstall(agent, scope);
    expect(machine.look()).toEqual(before);
  });

  it('changes nothing if a file is unreadable or read-only', () => {
    const broken: [string, string, number, RegExp][] = [
      ['invalid_input', '{ "a": \n', 0o600, /^Cannot change ".+": it is not (JSON|TOML) \(line \d\)$/],
      ['invalid_input', '\xff\xfe{\0}\0', 0o600, /: it is not UTF-8$/],
      ['forbidden', '', 0o444, /: it is read-only$/],
    ];
    for (const [word, text, mode, message] of broken) {
      const machine = createMachine();
      for (const part of machine.partsOf(agent, scope)) {
        mkdirSync(dirname(part.file), { recursive: true });
        writeFileSync(part.file, text, 'latin1');
        chmodSync(part.file, mode);
      }
      const before = machine.look();
      const failure = catchError(() => machine.install(agent, scope));
      expect(failure.word).toBe(word);
      expect(failure.message).toMatch(message);
      expect(machine.look()).toEqual(before);
    }
  });

  it('does not replace a foreign entry of the same name', () => {
    const machine = createMachine();
    const part = machine.partsOf(agent, scope)[0] as SettingsPart;
    const foreign = { command: 'other', args: ['stdio'] };
    const path = part.kind === 'hooks' ? [] : part.path;
    const text =
      part.kind === 'table'
        ? '[mcp_servers."lorekeeper"]\ncommand = "other"\n'
        : JSON.stringify(path.reduceRight<object>((inner, key) => ({ [key]: inner }), { lorekeeper: foreign }));
    write(part.file, text);
    const before = machine.look();
    const failure = catchError(() => machine.install(agent, scope));
    expect(failure.word).toBe('conflict');
    expect(failure.hint).toBeDefined();
    expect(machine.look()).toEqual(before);
    expect(new Set(machine.uninstall(agent, scope))).toEqual(new Set(['nothing']));
    expect(machine.look()).toEqual(before);
  });
});

function createBaseOf(file: string): string {
  return file.slice(0, file.search(/\/(?:home|project)\//));
}

function read(text: string): object {
  const root = parseJsonc(text);
  return root ? (toValue(root) as object) : {};
}

function catchError(work: () => unknown): LoreError {
  try {
    work();
  } catch (error) {
    if (error instanceof LoreError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

describe('an entry that a user wrote', () => {
  const agent = agents.find(({ id }) => id === 'claude-code') as Agent;
  const text =
    '{\n  "mcpServers": {\n    "lorekeeper": {\n      "command": "lore", // by hand\n      "args": ["stdio"],\n      "env": { "LORE_DB": "x.db" }\n    }\n  }\n}\n';

  it('keeps its other properties when it is updated', () => {
    const machine = createMachine();
    const [server] = machine.partsOf(agent, 'user') as [SettingsPart];
    write(server.file, text);
    expect(machine.install(agent, 'user', setup, [server])).toEqual(['change']);
    const changed = readFileSync(server.file, 'utf8');
    expect(changed).toContain('"command": "/usr/bin/node", // by hand');
    expect(read(changed)).toMatchObject({ mcpServers: { lorekeeper: { env: { LORE_DB: 'x.db' } } } });
  });

  it('is removed by uninstall', () => {
    const machine = createMachine();
    const [server] = machine.partsOf(agent, 'user') as [SettingsPart];
    write(server.file, text);
    machine.uninstall(agent, 'user');
    expect(readFileSync(server.file, 'utf8')).toBe('{}\n');
  });
});

describe('variables of the environment', () => {
  const first = { LORE_DB: '/data/my lore.db' };
  const second = { LORE_DB: '/data/other.db', LORE_PROJECT: '/src/shop' };
  const envOf = (part: SettingsPart) =>
    part.kind === 'hooks' ? undefined : listOurEntries(part, readFileSync(part.file, 'utf8'))[0]?.env;

  it.each(everywhere)('are written for $name, but not to files of the repository', ({ agent, scope }) => {
    const machine = createMachine();
    const before = machine.look();
    const [server, ...hooks] = machine.partsOf(agent, scope) as [SettingsPart, ...SettingsPart[]];
    machine.install(agent, scope, { ...setup, env: first });
    const isShared = server.kind !== 'hooks' && server.shared === true;
    expect(envOf(server)).toEqual(isShared ? {} : first);
    for (const { file } of hooks) {
      expect(readFileSync(file, 'utf8')).toContain("env 'LORE_DB=/data/my lore.db' /usr/bin/node /opt/lorekeeper");
    }
    machine.install(agent, scope, { ...setup, env: second });
    expect(envOf(server)).toEqual(isShared ? {} : second);
    expect(new Set(machine.install(agent, scope, { ...setup, env: second }))).toEqual(new Set(['nothing']));
    machine.uninstall(agent, scope);
    expect(machine.look()).toEqual(before);
  });

  it('are added to those that a user wrote', () => {
    const machine = createMachine();
    const [table] = machine.partsOf(agents.find(({ id }) => id === 'codex') as Agent, 'user') as [SettingsPart];
    const entry = '[mcp_servers.lorekeeper]\ncommand = "lore"\nargs = ["stdio"]\n';
    for (const env of ['env = { "A" = "b" }\n', "[mcp_servers.lorekeeper.env]\nA = 'b' # mine\n"]) {
      write(table.file, entry + env);
      machine.install(agents[0] as Agent, 'user', { ...setup, env: second }, [table]);
      expect(envOf(table)).toEqual({ A: 'b', ...second });
    }
  });
});

describe('our server under another name', () => {
  it('is found in every program', () => {
    for (const { agent, scope } of everywhere) {
      const [part] = agent.scopes[scope]?.(createMachine().place) ?? [];
      if (!part || part.kind === 'hooks') continue;
      const text =
        part.kind === 'table'
          ? '[mcp_servers.lore]\ncommand = "lore"\nargs = ["stdio"]\n[mcp_servers.a]\ncommand = "a"\n'
          : JSON.stringify(
              part.path.reduceRight<object>((inner, key) => ({ [key]: inner }), {
                lore: { command: 'lore', args: ['stdio'] },
                a: { command: 'a', args: ['stdio'] },
              }),
            );
      expect([agent.id, findOtherNames(part, putPart(part, text, setup))]).toEqual([agent.id, ['lore']]);
    }
  });
});

describe('two scopes in one file', () => {
  it('are added and removed in any order', () => {
    const agent = agents.find(({ id }) => id === 'claude-code') as Agent;
    for (const order of [['user', 'local'] as const, ['local', 'user'] as const]) {
      const machine = createMachine();
      write(join(machine.place.home, '.claude.json'), '{\n  "numStartups": 3\n}');
      const before = machine.look();
      machine.install(agent, 'user');
      machine.install(agent, 'local');
      machine.uninstall(agent, order[0]);
      expect(isIn(machine.partsOf(agent, order[1])[0] as SettingsPart, order[1])).toBe(true);
      expect(isIn(machine.partsOf(agent, order[0])[0] as SettingsPart, order[0])).toBe(false);
      machine.uninstall(agent, order[1]);
      expect(machine.look()).toEqual(before);
    }
  });
});

describe('a plan', () => {
  const agent = agents.find(({ id }) => id === 'codex') as Agent;

  it('lists the lines that differ', () => {
    const machine = createMachine();
    const [table] = machine.partsOf(agent, 'user') as [SettingsPart];
    write(table.file, 'model = "o5"\n');
    const [step] = planInstall('codex user', [table], setup, machine.receipts);
    expect(step && describeChange(step)).toBe(
      '+ \n+ [mcp_servers.lorekeeper]\n+ command = "/usr/bin/node"\n+ args = ["/opt/lorekeeper/bin/lore.cjs", "stdio"]',
    );
    expect(readFileSync(table.file, 'utf8')).toBe('model = "o5"\n');
  });

  it('renders text to copy', () => {
    const [config] = renderParts(agent.scopes.project?.(createMachine().place) ?? [], setup);
    expect(config?.text).toBe('[mcp_servers.lorekeeper]\ncommand = "lore"\nargs = ["stdio"]\n');
  });
});
