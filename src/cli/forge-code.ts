// Adding code to the forge: repositories, also by their git address, and programs.
import { existsSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Output } from '../core/command.ts';
import type { AddedRepository, AddedSource, Forge } from '../services/forge/forge.ts';
import type { CatalogEntry, Source } from '../services/forge/source/source.ts';

/** A folder, or the clone of a git address; undefined for documents. */
export async function findRepository(
  { sources }: Pick<Forge, 'sources'>,
  name: string,
  from: string,
): Promise<{ from: string; folder: string } | undefined> {
  if (existsSync(from)) {
    const folder = realpathSync(from);
    return statSync(folder).isDirectory() ? { from: folder, folder } : undefined;
  }
  const isGit =
    /\.git$|^git@|^ssh:\/\/|^https:\/\/(?:github|gitlab|codeberg|bitbucket)\.(?:com|org)\/[^/]+\/[^/]+\/?$/.test(from);
  if (!isGit) return undefined;
  const { readAddress } = await import('../graph/git/address.ts');
  const { cloneTree } = await import('../services/repo/clone/clone.ts');
  const { defaultLimits } = await import('../services/repo/clone/clones.ts');
  const { url } = readAddress(from);
  const folder = join(sources.folder, 'repositories', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  await cloneTree(folder, url, { ...defaultLimits, signal: new AbortController().signal });
  return { from: url, folder: realpathSync(folder) };
}

export async function reportRepository(
  forge: Forge,
  { added, failed, content, folder }: AddedRepository,
  output: Output,
): Promise<number> {
  const { programs, servers } = content;
  if (output.json) {
    output.printJson({ added: added.map(({ source }) => source), failed, programs, servers });
    return added.length > 0 ? 0 : 1;
  }
  const lines = [
    ...added.map((one) => describeAdded(one)),
    ...failed.map(({ path, problem }) => `Not added: ${path}: ${problem}`),
    ...programs.slice(0, 10).map((path) => `Program: lore forge add <name> ${join(folder, path)} --program`),
    ...servers.slice(0, 10).map((words) => `MCP server: lore mount <name> -- ${words.join(' ')}`),
  ];
  output.print(lines.length > 0 ? lines.join('\n') : 'Nothing in this repository can become a tool.');
  const code = added.find(({ source }) => source.code);
  if (code) output.print(await suggestPermission(forge, code.source));
  return added.length > 0 ? 0 : 1;
}

export function reportCode(added: AddedSource, output: Output): number {
  if (output.json) output.printJson(added.source);
  else output.print(describeAdded(added));
  return 0;
}

function describeAdded({ source, isNew }: AddedSource): string {
  const { name, title, operations, origin, format } = source;
  const kind = source.code ? format : title;
  return `${isNew ? 'Added' : 'Updated'} ${name}: ${kind}, ${operations} ${operations === 1 ? 'tool' : 'tools'} at ${source.code ? basename(origin) : origin}`;
}

async function suggestPermission({ sources }: Forge, source: Source): Promise<string> {
  const [first] = await sources.catalog(source);
  return `Functions are off until you allow each: lore allow ${source.name}_${first?.name} --level write`;
}

export async function showCode(
  { sources }: Forge,
  source: Source,
  entry: CatalogEntry,
  output: Output,
): Promise<number> {
  const { describeCode } = await import('../services/forge/code/run-code.ts');
  const tool = (await sources.code(source)).tools[entry.key];
  const schema = tool && describeCode(tool, entry);
  const { key, summary, description } = entry;
  if (output.json)
    output.printJson({ name: `${source.name}_${entry.name}`, key, summary, description, arguments: schema });
  else output.print([key, summary, '', JSON.stringify(schema, null, 2)].join('\n'));
  return 0;
}
