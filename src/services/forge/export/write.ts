// Writes a source as a server of its own: the bundled program, the pruned document as data, and the files that registries and
// clients read. The program is copied as it is; texts of the document are only ever values in JSON, and one plain line in the README.
import { chmod, copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LoreError } from '../../../core/error.ts';
import { findProgram } from '../../../core/program-file.ts';
import { showHidden } from '../../../core/text/fence.ts';
import { inOneLine } from '../../../core/text/terminal.ts';
import { variableOf } from '../call/authorize.ts';
import type { Forge } from '../forge.ts';
import { listSchemes } from '../openapi/security.ts';
import { SourceStore } from '../source/store.ts';
import type { Pin } from '../surface/pins.ts';
import { PinStore } from '../surface/pins.ts';
import { dataFolder, programFile } from './layout.ts';
import { describeServer, type ExportedServer } from './manifest.ts';
import { pruneDocument } from './prune.ts';

export interface ExportOptions {
  /** The folder to write; it must be new, empty, or an earlier export. */
  out: string;
  version: string;
  pins: readonly Pin[];
}

export async function exportSource(
  forge: Pick<Forge, 'sources'>,
  name: string,
  { out, version, pins }: ExportOptions,
): Promise<ExportedServer> {
  const source = await forge.sources.get(name);
  if (source.code) {
    throw new LoreError('invalid_input', `Cannot export "${name}": its tools are code on this machine, not an API`);
  }
  await requireOwn(out);
  const api = await forge.sources.api(source);
  const entries = (await forge.sources.catalog(source)).filter(({ edit }) => edit?.isHidden !== true);
  const folder = join(out, dataFolder);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const exported = new SourceStore(folder);
  const { format, address, base, origin, reach, addedAt, updatedAt } = source;
  const title = plainLine(source.title) || name;
  // Nothing of this machine: neither the file that it was read from nor a project.
  const draft = { name, title, format, from: address, address, ...(base !== undefined && { base }), origin, reach };
  await exported.save(
    { ...draft, operations: entries.length, addedAt, updatedAt },
    pruneDocument(api, entries).document,
    entries,
  );
  if ((await forge.sources.proved()).has(name)) await exported.prove(name);
  const own = new PinStore(folder);
  for (const pin of pins.filter((one) => one.source === name)) await own.put(pin);
  // Readable by everyone, like the program: it is installed by one user and run by others.
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  for (const { parentPath, name: file } of files) await chmod(join(parentPath, file), 0o644);
  await copyFile(findProgram('forge-server.mjs', `export "${name}"`), join(out, programFile));
  const schemes = listSchemes(api.document, api.resolver).filter(({ kind }) => kind !== 'unsupported');
  const server: ExportedServer = {
    name,
    title,
    version,
    origin: source.origin,
    tools: entries.length,
    variables: schemes.map(({ id }) => ({ name: variableOf(name, id), scheme: plainLine(id) })),
  };
  for (const [file, content] of Object.entries(describeServer(server))) await writeFile(join(out, file), content);
  return server;
}

/** Deletes nothing that it did not write. */
async function requireOwn(out: string): Promise<void> {
  const names: string[] = await readdir(out).catch(() => []);
  if (names.length === 0 || (names.includes(programFile) && names.includes(dataFolder))) return;
  throw new LoreError('conflict', `Cannot export to "${out}": the folder contains other files`, {
    hint: 'Name a new folder, or one with an earlier export.',
  });
}

function plainLine(text: string): string {
  return inOneLine(showHidden(text))
    .replace(/[^\p{L}\p{N} .,:;()'+/&_-]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, 100);
}
