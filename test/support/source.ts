// The project's own files, as the house tests read them.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundle.ts';

interface SourceFile {
  /** From the project's root, with forward slashes. */
  path: string;
  text: string;
}

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root })
  .toString()
  .split('\0')
  // What was removed or moved is listed until that is committed.
  .filter((path) => path !== '' && existsSync(join(root, path)));

export function readSources(pattern: RegExp): SourceFile[] {
  return listed
    .filter((path) => pattern.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** What a TypeScript file imports, statically or lazily. */
export function importsOf({ text }: SourceFile): string[] {
  const found = text.matchAll(/^(?:import|export)\b[^;]*?from '([^']+)'|\b(?:import|require)\('([^']+)'\)/gm);
  return [...found].map((match) => (match[1] ?? match[2]) as string);
}
