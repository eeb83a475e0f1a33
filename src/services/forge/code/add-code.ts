// The source of a repository's functions, or of a program's commands: what is stored, and what a search knows of it.
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { hashHex } from '../../../core/crypto.ts';
import { LoreError } from '../../../core/error.ts';
import { readInside, resolveNamed } from '../../../files/inside.ts';
import type { CatalogEntry } from '../source/source.ts';
import type { CodeDocument, CodeTool, FunctionTool, ProgramFile } from './code-tool.ts';
import { signatureOf } from './code-tool.ts';
import { listCommands } from './program-tools.ts';

const mostProgramBytes = 300_000_000;

/** Asks the program for help, which runs it: only for a program that a person named. */
export async function readProgram(named: string, signal?: AbortSignal): Promise<CodeDocument> {
  const program = await openProgram(named);
  const folder = program.hash === undefined ? process.cwd() : dirname(program.program);
  return describeCode(folder, await listCommands(program, folder, signal));
}

async function openProgram(named: string): Promise<ProgramFile> {
  if (!/[\\/.]/.test(named)) return { program: named };
  const program = resolveNamed(named, { action: 'run', argument: 'program' });
  const bytes = await readProgramFile(program);
  const { mode } = await stat(program);
  const runner = /\.py$/.test(program) ? 'python' : /\.[mc]?js$/.test(program) ? 'node' : undefined;
  if (runner === undefined && (mode & 0o111) === 0)
    throw new LoreError('invalid_input', `Cannot add "${named}": it is neither executable nor a script`);
  return { program, hash: hashHex(bytes), ...(runner && { runner }) };
}

export async function readProgramFile(path: string): Promise<Buffer> {
  const bytes = await readInside(dirname(path), basename(path), mostProgramBytes);
  if (bytes) return bytes;
  throw new LoreError('not_found', `Cannot read "${path}": it is not a file`);
}

export function describeFunctions(folder: string, functions: readonly FunctionTool[]): CodeDocument {
  return describeCode(folder, functions);
}

function describeCode(folder: string, tools: readonly CodeTool[]): CodeDocument {
  return { folder, tools: Object.fromEntries(tools.map((tool) => [keyOf(tool), tool])) };
}

function keyOf(tool: CodeTool): string {
  if (tool.kind === 'function') return `${tool.file} ${tool.export}`;
  return [basename(tool.program.program), ...tool.words].join(' ');
}

/** Names stay as they were; a name that is taken gets a number. */
export function buildCodeCatalog({ tools }: CodeDocument, known: ReadonlyMap<string, string>): CatalogEntry[] {
  const used = new Set(known.values());
  const nameOf = (key: string, { name }: CodeTool) => {
    const plain = name
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .slice(0, 38);
    let chosen = known.get(key) ?? plain;
    for (let n = 2; known.get(key) === undefined && used.has(chosen); n++) chosen = `${plain}_${n}`;
    used.add(chosen);
    return chosen;
  };
  return Object.entries(tools).map(([key, tool]) => ({
    name: nameOf(key, tool),
    key,
    effect: tool.effect,
    summary: tool.summary,
    description: tool.description,
    words: Object.keys((tool.schema as { properties?: object }).properties ?? {}).join(' '),
    returns: '',
    signature: signatureOf(tool),
    isDeprecated: false,
  }));
}
