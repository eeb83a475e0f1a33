// lore forge

import type { App } from '../../app.ts';
import type { Command, Invocation, Output } from '../../core/command.ts';
import { LoreError } from '../../core/error.ts';
import { folderBeside } from '../../core/location.ts';
import type { Forge } from '../../services/forge/forge.ts';
import type { Source } from '../../services/forge/source/source.ts';
import { readAll } from '../input.ts';
import { alignColumns } from '../output.ts';
import { startOnce } from '../start.ts';

export const forge: Command = {
  name: 'forge',
  summary: 'Turn APIs into tools: add OpenAPI documents, Postman collections and others, and enter credentials.',
  usage: 'add <name> <file|url> | list | show <name> [tool] | refresh <name> | remove <name> | login <name> [scheme]',
  options: {
    base: {
      type: 'string',
      help: 'With add: address of the API, instead of the servers in the document',
      value: 'url',
    },
    root: { type: 'string', help: 'With add: folder that contains all files of the document', value: 'folder' },
    env: {
      type: 'string',
      help: 'With login: environment variable that has the secret; nothing is stored',
      value: 'name',
    },
    remove: { type: 'boolean', help: 'With login: delete the credentials' },
  },
  examples: [
    ['lore forge add petstore https://petstore3.swagger.io/api/v3/openapi.json', 'add an API, and try a call'],
    ['lore forge add shop openapi.yaml --base http://localhost:3000', 'a file, and a server on this machine'],
    ['lore forge show petstore', 'its tools'],
    ['lore forge login petstore api_key', 'enter the secret of a security scheme; it is stored encrypted'],
    ['lore allow petstore --level write', 'let its tools change data without asking'],
  ],
  async run(invocation) {
    const { words, flags } = invocation;
    const [verb = 'list', name = '', rest] = words;
    const app = await startOnce({ flags });
    try {
      const opened = await openOwn(app);
      if (verb === 'list') return await list(opened, invocation.output);
      if (verb === 'show') return await show(opened, name, rest, invocation.output);
      return await app.registry.perform(
        'forge',
        [],
        { verb, name, ...(verb === 'add' && { from: rest }) },
        async () => {
          if (verb === 'add') return add(opened, name, rest as string, invocation);
          if (verb === 'refresh')
            return report(opened, await opened.refresh(name, { isPerson: true }), invocation.output);
          if (verb === 'login') return login(opened, name, rest, invocation);
          await opened.remove(name);
          if (invocation.output.json) invocation.output.printJson({ removed: name });
          else invocation.output.print(`Removed ${name}, its documents and its credentials.`);
          return 0;
        },
      );
    } finally {
      await app.stop();
    }
  },
};

async function openOwn({ registry, config }: App): Promise<Forge> {
  const { openForge } = await import('../../services/forge/forge.ts');
  return openForge({
    folder: folderBeside(config.values.db),
    policy: () => registry.rules,
    reserved: () => registry.permissions().flatMap(({ tool, service }) => [service, tool.group ?? service]),
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
  const { describeInput } = await import('../../services/forge/openapi/model-schema.ts');
  const api = await forge.sources.api(source);
  const operation = api.operation(tool.replace(`${source.name}_`, ''));
  const schema = describeInput(api, operation);
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
  return report(forge, await forge.add({ name, from, base, root, isPerson: true }), output);
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

async function listAllSchemes(forge: Forge, source: Source) {
  const { listSchemes } = await import('../../services/forge/openapi/security.ts');
  const { document, resolver } = await forge.sources.api(source);
  return listSchemes(document, resolver);
}

async function suggestLogin(forge: Forge, source: Source): Promise<string[]> {
  const { listCredentials } = await import('../../services/forge/call/authorize.ts');
  const schemes = await listAllSchemes(forge, source);
  const known = new Set((await listCredentials(forge, source, schemes)).map(({ name }) => name));
  const missing = schemes.filter(({ id, kind }) => kind !== 'unsupported' && !known.has(id));
  return missing.map(({ id, kind }) => `Credentials: lore forge login ${source.name} ${id}   (${kind})`);
}

const forms = {
  apiKey: 'the key',
  bearer: 'the token',
  basic: 'user:password',
  oauth2: 'client_id:client_secret, or an access token',
  unsupported: '',
};

async function login(
  forge: Forge,
  name: string,
  wanted: string | undefined,
  { options, output }: Invocation,
): Promise<number> {
  const source = await forge.sources.get(name);
  const schemes = await listAllSchemes(forge, source);
  const scheme = wanted === undefined && schemes.length === 1 ? schemes[0] : schemes.find(({ id }) => id === wanted);
  if (options.remove === true) {
    const removed = await forge.credentials.remove(name, wanted);
    output.print(`Removed ${removed} ${removed === 1 ? 'credential' : 'credentials'} of ${name}.`);
    return 0;
  }
  if (!scheme || scheme.kind === 'unsupported') {
    throw new LoreError('invalid_input', `Cannot log in to "${name}": expected one of its security schemes`, {
      hint:
        schemes.length > 0
          ? `Schemes: ${schemes.map(({ id, kind }) => `${id} (${kind})`).join(', ')}.`
          : 'Its document has none.',
    });
  }
  const { env: variable } = options as { env?: string };
  const secret =
    variable === undefined ? { value: await readSecret(`${scheme.id}, ${forms[scheme.kind]}`) } : { variable };
  // An access token has no colon, and is sent as it is.
  const isExchanged = scheme.tokenUrl !== undefined && (secret.value === undefined || secret.value.includes(':'));
  const credential = {
    name: scheme.id,
    origin: source.origin,
    ...secret,
    ...(isExchanged && { tokenUrl: scheme.tokenUrl as string }),
  };
  await forge.credentials.put(name, credential);
  const { proveSource } = await import('../../services/forge/prove.ts');
  const proof = await proveSource(forge, source);
  if (output.json) output.printJson({ source: name, scheme: scheme.id, origin: source.origin, ...proof });
  else {
    output.print(`Stored ${scheme.id} of ${name}. It is sent only to ${source.origin}.`);
    output.print(proof.name === undefined ? `Unproved: ${proof.problem}` : `Ready: ${proof.name} was answered.`);
  }
  return 0;
}

/** From a pipe, or typed without being shown. */
async function readSecret(what: string): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY !== true) return checkSecret(await readAll(stdin));
  stderr.write(`Enter ${what}: `);
  const { createInterface } = await import('node:readline/promises');
  const { Writable } = await import('node:stream');
  const silent = new Writable({ write: (_, __, done) => done() });
  const terminal = createInterface({ input: stdin, output: silent, terminal: true });
  try {
    return checkSecret(await terminal.question(''));
  } finally {
    terminal.close();
    stderr.write('\n');
  }
}

function checkSecret(text: string): string {
  const secret = text.trim();
  if (secret !== '' && !/[\r\n]/.test(secret)) return secret;
  throw new LoreError('invalid_input', 'Cannot store the credential: expected one line');
}
