// lore forge
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../../app.ts';
import type { Command, Invocation, Output } from '../../core/command.ts';
import { LoreError } from '../../core/error.ts';
import { folderBeside } from '../../core/location.ts';
import { isObject } from '../../core/schema.ts';
import { listTakenNames } from '../../core/service.ts';
import type { Forge } from '../../services/forge/forge.ts';
import type { Source } from '../../services/forge/source/source.ts';
import { findRepository, reportCode, reportRepository, showCode } from '../forge-code.ts';
import { exportTo } from '../forge-export.ts';
import { login, suggestLogin } from '../forge-login.ts';
import { pinTool, renewPins } from '../forge-pin.ts';
import { alignColumns } from '../output.ts';
import { startOnce } from '../start.ts';

export const forge: Command = {
  name: 'forge',
  summary: 'Turn APIs into tools: add OpenAPI documents, Postman collections and others, and enter credentials.',
  usage:
    'add <name> <file|url|folder|repository> | list | show <name> [tool] | refresh <name> | remove <name> | login <name> [scheme] | edit <name> <tool> | pin [name] [tool] | unpin <name> <tool> | export <name>',
  options: {
    base: {
      type: 'string',
      help: 'With add: address of the API, instead of the servers in the document',
      value: 'url',
    },
    program: { type: 'boolean', help: 'With add: a program, by its name or file; its help is read' },
    here: { type: 'boolean', help: 'With add: only for agents that work in the current folder' },
    root: { type: 'string', help: 'With add: folder that contains all files of the document', value: 'folder' },
    env: {
      type: 'string',
      help: 'With login: environment variable that has the secret, which is not stored, or that of the client',
      value: 'name',
    },
    keychain: { type: 'boolean', help: 'With login: store the secret in the keychain of the system' },
    client: { type: 'string', help: 'With login: id of the OAuth client; opens the login page', value: 'id' },
    device: { type: 'boolean', help: 'With login: enter a code on another device' },
    scopes: { type: 'string', help: 'With login: scopes to ask for (default: all)', value: 'list' },
    callback: { type: 'string', help: 'With login: port that the browser returns to (default: any)', value: 'number' },
    remove: { type: 'boolean', help: 'With login: delete the credentials' },
    rename: {
      type: 'string',
      help: 'With edit: another name for the tool, without the name of the API',
      value: 'name',
    },
    summary: { type: 'string', help: 'With edit: what the tool does, for searches', value: 'text' },
    hide: { type: 'boolean', help: 'With edit: do not find the tool in searches' },
    out: { type: 'string', help: 'With export: folder to write', value: 'folder' },
    default: { type: 'string', help: 'With edit: arguments that calls need not give, as JSON', value: 'json' },
  },
  examples: [
    ['lore forge add petstore https://petstore3.swagger.io/api/v3/openapi.json', 'add an API, and try a call'],
    ['lore forge add shop openapi.yaml --base http://localhost:3000', 'a file, and a server on this machine'],
    ['lore forge add shop .', 'API documents and functions of this repository'],
    ['lore forge add gh gh --program', 'the commands of a program'],
    ['lore forge show petstore', 'its tools'],
    ['lore forge login petstore api_key', 'enter the secret of a security scheme; it is stored encrypted'],
    ['lore forge login petstore oauth --client my-app', 'log in with a browser'],
    ['lore forge edit petstore list_pets --default \'{"status": "sold"}\'', 'a default argument'],
    ['lore forge edit petstore list_pets', 'undo all changes to a tool'],
    ['lore forge pin petstore get_pet_by_id', 'list a tool like any other, without a search for it'],
    ['lore forge export petstore --out petstore-mcp', 'an MCP server of its own, which needs only Node'],
    ['lore allow petstore --level write', 'let its tools change data without asking'],
  ],
  async run(invocation) {
    const { words, flags } = invocation;
    const [verb = 'list', name = '', rest] = words;
    const app = await startOnce({ flags });
    try {
      const opened = await openOwn(app);
      if (verb === 'list') return await list(opened, invocation.output);
      if (verb === 'pin' || verb === 'unpin') return await pinTool(app, verb, name, rest, invocation.output);
      if (verb === 'show') return await show(opened, name, rest, invocation.output);
      const status = await app.registry.perform(
        'forge',
        [],
        { verb, name, ...(verb === 'add' && { from: rest }) },
        async () => {
          if (verb === 'add') return add(opened, name, rest as string, invocation);
          if (verb === 'refresh') {
            const added = await opened.refresh(name, { isPerson: true });
            return added.source.code ? reportCode(added, invocation.output) : report(opened, added, invocation.output);
          }
          if (verb === 'login') return login(opened, name, rest, invocation);
          if (verb === 'export')
            return exportTo(opened, name, join(folderBeside(app.config.values.db), 'forge'), invocation);
          if (verb === 'edit') return edit(opened, name, rest as string, invocation);
          await opened.remove(name);
          if (invocation.output.json) invocation.output.printJson({ removed: name });
          else invocation.output.print(`Removed ${name}, its documents and its credentials.`);
          return 0;
        },
      );
      await renewPins(app);
      return status;
    } finally {
      await app.stop();
    }
  },
};

async function openOwn({ offered, config }: App): Promise<Forge> {
  const { openForge } = await import('../../services/forge/forge.ts');
  return openForge({
    folder: folderBeside(config.values.db),
    reserved: () => listTakenNames(offered, 'forge'),
  });
}

async function list({ sources }: Forge, output: Output): Promise<number> {
  const [all, proved] = [await sources.list(), await sources.proved()];
  const rows = all.map(({ name, title, operations, origin, format, from }) => ({
    name,
    title,
    state: proved.has(name) ? 'ready' : 'unproved',
    tools: operations,
    origin,
    format,
    from,
  }));
  if (output.json) output.printJson(rows);
  else if (rows.length === 0)
    output.print('No API has been added. Add one: lore forge add <name> <OpenAPI file or URL>');
  else
    output.print(
      alignColumns([
        ['name', 'state', 'tools', 'server', 'title'],
        ...rows.map((row) => [row.name, row.state, String(row.tools), row.origin, row.title]),
      ]),
    );
  return 0;
}

async function show(forge: Forge, name: string, tool: string | undefined, output: Output): Promise<number> {
  const source = await forge.sources.get(name);
  const catalog = await forge.sources.catalog(source);
  if (tool !== undefined) return showTool(forge, source, tool, output);
  if (output.json) output.printJson({ ...source, tools: catalog });
  else {
    output.print(`${source.title} · ${source.format} · ${source.origin}\n${output.dim(source.from)}\n`);
    output.print(
      alignColumns(
        catalog.map(({ name: operation, effect, summary }) => [`${name}_${operation}`, effect, summary.slice(0, 80)]),
      ),
    );
  }
  return 0;
}

async function showTool(forge: Forge, source: Source, tool: string, output: Output): Promise<number> {
  const { locateTool } = await import('../../services/forge/call/run.ts');
  const { entry } = await locateTool(forge, `${source.name}_${tool.replace(`${source.name}_`, '')}`);
  if (source.code) return showCode(forge, source, entry, output);
  const { describeArguments } = await import('../../services/forge/source/edit.ts');
  const api = await forge.sources.api(source);
  const operation = api.operation(entry.name);
  const schema = describeArguments(api, entry);
  const { method, path, summary, description } = operation;
  if (output.json)
    output.printJson({
      name: `${source.name}_${operation.name}`,
      method,
      path,
      summary,
      description,
      arguments: schema,
    });
  else output.print([`${method} ${path}`, summary || description, '', JSON.stringify(schema, null, 2)].join('\n'));
  return 0;
}

async function add(forge: Forge, name: string, from: string, { options, output }: Invocation): Promise<number> {
  const { base, root } = options as { base?: string; root?: string };
  const project = options.here === true ? realpathSync(process.cwd()) : undefined;
  if (options.program === true) return reportCode(await forge.addProgram({ name, from, project }), output);
  const repository = await findRepository(forge, name, from);
  if (repository)
    return reportRepository(forge, await forge.addRepository({ name, base, project, ...repository }), output);
  return report(forge, await forge.add({ name, from, base, root, project, isPerson: true }), output);
}

async function report(forge: Forge, added: Awaited<ReturnType<Forge['add']>>, output: Output): Promise<number> {
  const { proveSource } = await import('../../services/forge/prove.ts');
  const { source, isNew, skipped } = added;
  const proof = await proveSource(forge, source);
  if (output.json) {
    output.printJson({ ...source, skipped, state: proof.name === undefined ? 'unproved' : 'ready', ...proof });
    return 0;
  }
  const lines = [
    `${isNew ? 'Added' : 'Updated'} ${source.name}: ${source.title}, ${source.operations} tools at ${source.origin}`,
    ...(skipped > 0 ? [`${skipped} operations cannot be used, because the document is incomplete.`] : []),
    proof.name === undefined ? `Unproved: ${proof.problem}` : `Ready: ${proof.name} was answered.`,
    ...(await suggestLogin(forge, source)),
  ];
  output.print(lines.join('\n'));
  return 0;
}

async function edit(forge: Forge, name: string, tool: string, { options, output }: Invocation): Promise<number> {
  const { rename, summary, hide, default: given } = options as { [name: string]: string | undefined };
  const changes = {
    ...(rename !== undefined && { name: rename }),
    ...(summary !== undefined && { summary }),
    ...(hide !== undefined && { isHidden: true }),
    ...(given !== undefined && { defaults: readArguments(given) }),
  };
  const isChange = Object.keys(changes).length > 0;
  const entry = await forge.edit(name, tool.replace(`${name}_`, ''), isChange ? changes : undefined);
  if (output.json) output.printJson(entry);
  else output.print(`${isChange ? 'Changed' : 'Restored'} ${name}_${entry.name}.`);
  return 0;
}

function readArguments(text: string): { [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw new LoreError('invalid_input', 'Cannot use --default: expected a JSON object with arguments');
}
