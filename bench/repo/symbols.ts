// Definitions found in real files, beside lists made by others' tools: Python's ast, TypeScript's compiler and Universal
// Ctags, each joined with what a plain search for defining words finds, since ctags misses what is inside macros and
// anonymous classes. What is listed and not found counts against recall, what is found and not listed against precision.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { languageOf } from '../../src/services/repo/index/language/languages.ts';
import { createCodeParser } from '../../src/services/repo/index/parse/parser.ts';
import { type BenchOptions, linkPrograms } from './programs.ts';

interface Listed {
  repo: string;
  commit: string;
  path: string;
  definitions: [name: string, line: number][];
}

/** Bare copies of public repositories, as `owner+name/repo`. */
const repositories = process.env.REPOSITORIES;
/** Kinds that the lists do not have. */
const unlisted: Record<string, readonly string[]> = { python: ['field', 'type'] };
const attributes = 25;

export async function run({ args, root: project, folder: own }: BenchOptions): Promise<void> {
  linkPrograms(project, own);
  const folder = join(project, 'bench/repo/symbols');
  const copies = repositories ?? join(project, '../.mirror');
  const parser = await createCodeParser();
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
    const language = basename(name, '.json');
    const files = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Listed[];
    let [listed, found, ours, right] = [0, 0, 0, 0];
    const missed: string[] = [];
    const extra: string[] = [];
    for (const { repo, commit, path, definitions } of files) {
      const copy = join(copies, repo.replace('/', '+'), 'repo');
      if (!existsSync(copy)) {
        console.log(`${language}: skipped, there is no copy of ${repo} (REPOSITORIES names the folder)`);
        break;
      }
      const text = execFileSync('git', ['--git-dir', copy, 'show', `${commit}:${path}`], {
        encoding: 'utf8',
        maxBuffer: 1 << 26,
      });
      const symbols = (await parser.parse(text, languageOf(path) as never))?.symbols ?? [];
      const left = new Set(symbols);
      for (const [called, line] of definitions) {
        listed++;
        // A definition begins with its attributes, a list names the line of the name.
        const fits = [...left].filter(
          (one) => one.name === called && one.start <= line && line <= Math.min(one.end, one.start + attributes),
        );
        const match = fits.sort((a, b) => b.start - a.start)[0];
        if (match) {
          left.delete(match);
          found++;
        } else missed.push(`${path}:${line} ${called}`);
      }
      const counted = (kind: string) => !(unlisted[language] ?? []).includes(kind);
      ours += symbols.filter(({ kind }) => counted(kind)).length;
      const alone = [...left].filter(({ kind }) => counted(kind));
      right += symbols.filter(({ kind }) => counted(kind)).length - alone.length;
      for (const one of alone) extra.push(`${path}:${one.start} ${one.kind} ${one.qualified}`);
    }
    if (listed === 0) continue;
    const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} % (${part} of ${whole})`;
    console.log(`${language}: recall ${share(found, listed)}, precision ${share(right, ours)}`);
    if (args.includes('--list'))
      for (const one of [...missed.map((m) => `  missed ${m}`), ...extra.map((e) => `  extra ${e}`)]) console.log(one);
  }
}
