// A tree of so many empty files, and half as many in one folder, indexed with its time and memory: 200,000 unless told.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGraphAccess } from '../../src/graph/access.ts';
import { createParsePool } from '../../src/services/repo/index/parse/pool.ts';
import { runIndexing } from '../../src/services/repo/index/thread.ts';
import { type BenchOptions, linkPrograms } from './programs.ts';

/** Megabytes; beyond them it has failed. */
const mostMemory = 500;

export async function run({ args, root: project, folder: own }: BenchOptions): Promise<void> {
  linkPrograms(project, own);
  const count = Number(args[0] ?? 200_000);
  const place = mkdtempSync(join(tmpdir(), 'lore-bench-hostile-'));
  const root = join(place, 'tree');
  for (let folder = 0; folder * 1_000 < count; folder++) {
    mkdirSync(join(root, `f${folder}`), { recursive: true });
    for (let n = 0; n < 1_000 && folder * 1_000 + n < count; n++)
      writeFileSync(join(root, `f${folder}`, `e${n}.ts`), '');
  }
  // All in one folder, which is the harder case.
  mkdirSync(join(root, 'one'));
  for (let n = 0; n < count / 2; n++) writeFileSync(join(root, 'one', `x${n}.ts`), '');
  const access = createGraphAccess(join(place, 'lore.db'));
  const opened = await access.open();
  const pool = createParsePool();
  const begun = performance.now();
  const indexed = await runIndexing(
    { opened, project: 'p', signal: new AbortController().signal, report: async () => {}, pool: async () => pool },
    { root },
  );
  console.log(
    `${count * 1.5} empty files: ${((performance.now() - begun) / 1_000).toFixed(1)} s, ${JSON.stringify(indexed.skipped)}`,
  );
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(`memory at most ${memory} MB (${mostMemory})`);
  if (memory > mostMemory || indexed.files > 0) process.exitCode = 1;
  await pool.close();
  await access.close();
  rmSync(place, { recursive: true, force: true });
}
