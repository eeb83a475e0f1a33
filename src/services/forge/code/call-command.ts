// Runs a command of a program, without a shell, and returns what it prints.
import { hashHex } from '../../../core/crypto.ts';
import { LoreError } from '../../../core/error.ts';
import { runProgram } from '../../../core/program/program.ts';
import type { ProvidedAnswer, ToolArguments } from '../../../core/tool-provider.ts';
import { readProgramFile } from './add-code.ts';
import { changedFile } from './call-function.ts';
import type { CommandTool } from './code-tool.ts';
import { buildArguments, commandOf } from './program-tools.ts';

const limits = { timeoutMs: 120_000, silenceMs: 120_000, maxBytes: 8 * 1024 * 1024 };
const longestComplaint = 2_000;

export async function callCommand(
  name: string,
  folder: string,
  tool: CommandTool,
  args: ToolArguments,
  signal: AbortSignal,
): Promise<ProvidedAnswer> {
  const { hash, program: path } = tool.program;
  if (hash !== undefined && hashHex(await readProgramFile(path)) !== hash) throw changedFile(name, path);
  const { program, args: first } = commandOf(tool.program, folder);
  const text = await runProgram({
    ...limits,
    program,
    args: [...first, ...buildArguments(tool, args)],
    action: `run "${name}"`,
    folder,
    signal,
    explain: (status, complaint) =>
      new LoreError('unavailable', `Cannot run "${name}": the program ended with status ${status}`, {
        details: { status, message: complaint.slice(-longestComplaint) },
        cause: new Error(complaint),
      }),
  });
  const data = /^\s*[[{]/.test(text) ? parse(text) : undefined;
  return data === undefined ? { text } : { data };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
