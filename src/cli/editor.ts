// Opens a text in $VISUAL, $EDITOR or the system's default editor. Only the user can read the file, which is deleted at the end
// of the process unless it is kept.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { LoreError } from '../core/error.ts';
import { findProgram } from '../core/program/path.ts';

export interface EditedText {
  text: string;
  /** Keeps the file and returns its path. */
  keep(): string;
}

export async function editText(name: string, text: string, env = process.env): Promise<EditedText> {
  const [program = '', ...args] = splitCommand(env.VISUAL || env.EDITOR || fallback());
  const path = isAbsolute(program) ? program : await findProgram(program, [process.cwd()]);
  if (path === undefined) {
    throw new LoreError('not_found', `Cannot start the editor "${program}": it was not found`, {
      hint: 'Set VISUAL or EDITOR, or use --text.',
    });
  }
  // A private folder, also for files that editors create beside the text.
  const file = join(mkdtempSync(join(tmpdir(), 'lore-edit-')), `${name}.md`);
  const remove = () => rmSync(dirname(file), { recursive: true, force: true });
  process.once('exit', remove);
  writeFileSync(file, text, { mode: 0o600 });
  await withSignals(() => runEditor(path, [...args, file]));
  return {
    text: restoreEnds(readFileSync(file, 'utf8'), text),
    keep() {
      process.off('exit', remove);
      return file;
    },
  };
}

const fallback = () => (process.platform === 'win32' ? 'notepad' : 'vi');

/** Splits a command into words; quotes keep spaces together: `"/opt/my editor" --wait`. */
function splitCommand(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
}

async function runEditor(path: string, args: readonly string[]): Promise<void> {
  const { spawn } = await import('node:child_process');
  const status = await new Promise<number | null>((resolve, reject) => {
    spawn(path, [...args], { stdio: 'inherit' })
      .on('error', reject)
      .on('exit', resolve);
  });
  if (status === 0) return;
  throw new LoreError('invalid_input', `Cannot edit: ${basename(path)} ended with status ${status}; nothing was saved`);
}

/** An interrupt is for the editor; any other signal must not leave the file behind. */
async function withSignals<T>(work: () => Promise<T>): Promise<T> {
  const ignore = () => {};
  const end = () => process.exit(1);
  process.on('SIGINT', ignore).on('SIGTERM', end).on('SIGHUP', end);
  try {
    return await work();
  } finally {
    process.off('SIGINT', ignore).off('SIGTERM', end).off('SIGHUP', end);
  }
}

/** Editors add a final newline, and some change line endings; restores those of the original. */
function restoreEnds(edited: string, before: string): string {
  const text = before.includes('\r\n') ? edited : edited.replaceAll('\r\n', '\n');
  return before.endsWith('\n') ? text : text.replace(/\r?\n$/, '');
}
