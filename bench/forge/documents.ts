// The documents of the forge's bench, read from a git mirror and cached as JSON, because parsing YAML takes most of the time.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from '../../src/services/forge/openapi/document.ts';

export interface BenchOptions {
  root: string;
  list: string;
  mirror: string;
  keep: string;
  skip: number;
  first: number;
  only: string;
}

export interface BenchDocument {
  path: string;
  text: string;
}

/** A document whose path's hash begins with a lower half byte; the others are kept for judging. */
function isDevelopment(path: string): boolean {
  return (createHash('sha256').update(path).digest()[0] as number) < 0x80;
}

export async function* readDocuments({
  list,
  mirror,
  keep,
  skip,
  first,
  only,
}: BenchOptions): AsyncGenerator<BenchDocument> {
  mkdirSync(keep, { recursive: true });
  const entries = JSON.parse(readFileSync(list, 'utf8')) as { path: string }[];
  const wanted = entries.filter(({ path }) => isDevelopment(path) && path.includes(only)).slice(skip, skip + first);
  for (const { path } of wanted) {
    const file = join(keep, `${path.replaceAll('/', '+')}.json`);
    if (!existsSync(file)) {
      const options = { encoding: 'utf8' as const, maxBuffer: 1e9 };
      const text = execFileSync('git', ['-C', mirror, 'show', `HEAD:${path}`], options);
      writeFileSync(file, JSON.stringify(await parseDocument(text)));
    }
    yield { path, text: readFileSync(file, 'utf8') };
  }
}
