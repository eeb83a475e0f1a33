// Definitions found in real files, beside lists: what is listed and not found counts against recall, what is found and not
// listed against precision, and a kind that is another than the listed one is told. The files of the first lists were read
// line by line, and rules were mended by them; on those of the second nothing was fitted.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languageOf } from '../../src/services/repo/index/language/languages.ts';
import { createCodeParser } from '../../src/services/repo/index/parse/parser.ts';
import { type BenchOptions, linkPrograms } from './programs.ts';

interface Listed {
  repo: string;
  commit: string;
  path: string;
  definitions: [line: number, name: string, kind: string][];
}

/** Bare copies of public repositories, as `owner+name/repo`. */
const repositories = process.env.REPOSITORIES;
const attributes = 25;
const lists = ['read', 'unseen'];

export async function run({ args, root: project, folder: own }: BenchOptions): Promise<void> {
  linkPrograms(project, own);
  const copies = repositories ?? join(project, '../.mirror');
  const parser = await createCodeParser();
  const folder = join(project, 'bench/repo/symbols');
  for (const name of lists.flatMap((list) => readdirSync(join(folder, list)).map((file) => `${list}/${file}`))) {
    const language = name.replace('.json', '');
    const files = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Listed[];
    let [listed, found, ours, right] = [0, 0, 0, 0];
    const missed: string[] = [];
    const extra: string[] = [];
    const others: string[] = [];
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
      for (const [line, called, kind] of definitions) {
        listed++;
        // A definition begins with its attributes, a list names the line of the name.
        const fits = [...left].filter(
          (one) => one.name === called && one.start <= line && line <= Math.min(one.end, one.start + attributes),
        );
        const match = fits.sort((a, b) => b.start - a.start)[0];
        if (match) {
          left.delete(match);
          found++;
          if (match.kind !== kind) others.push(`${path}:${line} ${called} is ${match.kind}, listed as ${kind}`);
        } else missed.push(`${path}:${line} ${called}`);
      }
      ours += symbols.length;
      right += symbols.length - left.size;
      for (const one of left) extra.push(`${path}:${one.start} ${one.kind} ${one.qualified}`);
    }
    if (listed === 0) continue;
    const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} % (${part} of ${whole})`;
    console.log(
      `${language}: ${files.length} files, recall ${share(found, listed)}, precision ${share(right, ours)}, kind ${share(found - others.length, found)}`,
    );
    if (!args.includes('--list')) continue;
    for (const [word, list] of Object.entries({ missed, extra, kind: others }))
      for (const one of list) console.log(`  ${word} ${one}`);
  }
}
