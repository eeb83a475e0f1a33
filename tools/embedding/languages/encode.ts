// Converts the pairs to rows with the product's own code: node encode.mjs PAIRS ROWS OUT. Every text of a file is a run of uint32
// values that ends with 2^32 - 1; rows of the languages table follow those of the English one.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createRowVisitor } from '../../../src/search/embed-rows.ts';
import { readTable } from '../../../src/search/embed-table.ts';

const [pairs, rowsFile, out, table, most = '120000'] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string?,
];
const { spellings } = readTable(table);
const rows = new Map(
  readFileSync(rowsFile, 'utf8')
    .split('\n')
    .map((row, at) => [row, at + spellings.size]),
);
const visitEnglish = createRowVisitor(spellings);
const visitOther = createRowVisitor(
  spellings,
  () => (spelling) => rows.get(spelling),
  () => 1,
);
const longest = 96;

const english = new Map<string, number>();
const write = (name: string) => {
  const file = openSync(`${out}/${name}.u32`, 'w');
  return { put: (values: Uint32Array) => writeSync(file, values), close: () => closeSync(file) };
};
const [originals, translations, links, kinds] = ['en', 'other', 'links', 'kinds'].map(write) as ReturnType<
  typeof write
>[];
const languages = ['zh', 'ja', 'ko', 'de', 'fr', 'es', 'pt', 'ru', 'ar', 'hi'];
for (const [index, language] of languages.entries()) {
  const bySource = new Map<string, string[]>();
  for (const line of readFileSync(`${pairs}/${language}.tsv`, 'utf8').split('\n')) {
    const source = line.slice(0, line.indexOf('\t'));
    if (source) bySource.set(source, push(bySource.get(source), line));
  }
  // Large sources are thinned evenly.
  const total = [...bySource.values()].reduce((sum, { length }) => sum + length, 0);
  let kept = 0;
  for (const lines of bySource.values()) {
    const step =
      lines.length > 20_000 && total > Number(most)
        ? Math.max(1, (lines.length / 20_000) * (total > 2 * Number(most) ? 1 : 0.8))
        : 1;
    for (let at = 0; at < lines.length; at += step) {
      const [, original, text] = (lines[Math.floor(at)] as string).split('\t') as [string, string, string];
      let link = english.get(original);
      if (link === undefined) {
        link = english.size;
        english.set(original, link);
        originals?.put(collect(visitEnglish, original));
      }
      translations?.put(collect(visitOther, text));
      links?.put(Uint32Array.of(link));
      kinds?.put(Uint32Array.of(index));
      kept++;
    }
  }
  process.stderr.write(`${language}: ${kept} of ${total}\n`);
}
for (const file of [originals, translations, links, kinds]) file?.close();

function push(list: string[] | undefined, line: string): string[] {
  const own = list ?? [];
  own.push(line);
  return own;
}

function collect(visit: ReturnType<typeof createRowVisitor>, text: string): Uint32Array {
  const found: number[] = [];
  visit(text, (row) => found.push(row));
  return Uint32Array.from([...found.slice(0, longest), 0xffffffff]);
}
