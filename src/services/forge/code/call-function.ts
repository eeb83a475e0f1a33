// Runs a function in a process of its own: arguments on stdin, the result on file descriptor 3, in the folder of its repository
// and without the variables of this process. The file must be the one that the person added.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findAsset } from '../../../core/asset.ts';
import { hashHex } from '../../../core/crypto.ts';
import { LoreError } from '../../../core/error.ts';
import { runProgram } from '../../../core/program/program.ts';
import type { ProvidedAnswer, ToolArguments } from '../../../core/tool-provider.ts';
import { readInside } from '../../../files/inside.ts';
import type { FunctionTool } from './code-tool.ts';

const limits = { timeoutMs: 60_000, silenceMs: 60_000, maxBytes: 4 * 1024 * 1024 };
const maxUsage = { processes: 30, bytes: 2 * 1024 ** 3 };
const mostFileBytes = 1_000_000;

export async function callFunction(
  name: string,
  folder: string,
  tool: FunctionTool,
  args: ToolArguments,
  signal: AbortSignal,
): Promise<ProvidedAnswer> {
  const bytes = await readInside(folder, tool.file, mostFileBytes);
  if (!bytes || hashHex(bytes) !== tool.hash) throw changedFile(name, tool.file);
  const file = join(folder, tool.file);
  const code =
    tool.language === 'python'
      ? { program: findPython(folder), args: ['-I', findAsset('run/call.py'), file, tool.export] }
      : { program: process.execPath, args: [findAsset('run/call.mjs'), file, tool.export, ...tool.parameters] };
  const output = await runProgram({
    ...code,
    ...limits,
    action: `run "${name}"`,
    folder,
    input: JSON.stringify(args),
    answersOn3: true,
    maxUsage,
    signal,
  });
  const answer = JSON.parse(output || '{"error":"it ended without a result"}') as { [key: string]: unknown };
  if (answer.error === undefined) return { data: answer.result };
  throw new LoreError('unavailable', `Cannot run "${name}": the function failed`, {
    details: { error: answer.error, message: answer.message },
    cause: new Error(`${answer.error}: ${answer.message}`),
  });
}

export function changedFile(name: string, file: string): LoreError {
  return new LoreError('conflict', `Cannot run "${name}": "${file}" has changed since a person added it`, {
    hint: `A person can review it and add it again: lore forge refresh ${name.split('_')[0]}`,
  });
}

/** The repository's own environment has the packages that its code needs. */
export function findPython(folder: string): string {
  const own = ['.venv/bin/python', 'venv/bin/python'].map((path) => join(folder, path));
  return own.find((path) => existsSync(path)) ?? 'python3';
}
