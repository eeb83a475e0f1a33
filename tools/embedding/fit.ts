// Step 3. The table: rows chosen, the teacher's 384 dimensions turned into 256, ridge regression from what the teacher says
// of each word alone, then the refinement of the cosine. Leaves `.cache/table.f32` and `.cache/rows.txt`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRowVisitor } from '../../src/search/embed-rows.ts';
import { indexSpellings } from '../../src/search/embed-spellings.ts';
import { readCorpus } from './corpus.ts';
import { cacheFolder } from './paths.ts';
import { projectRows } from './project.ts';
import { projectCorpus } from './project-corpus.ts';
import { createRandom } from './random.ts';
import { refineTable } from './refine.ts';
import { solveRidge } from './ridge.ts';
import { addRows, buildSparse } from './sparse.ts';
import { openTeacher, teacherDimensions } from './teacher.ts';
import { packVectors } from './vectors.ts';
import { chooseVocabulary } from './vocabulary.ts';

const width = 256;
const settings = { lambda: 0.7, rounds: 8, epochs: 2, rate: 0.006, batch: 256, rarity: 3e-4, ...readArguments() };

const corpus = readCorpus();
const teacher = await openTeacher();
const { rows } = chooseVocabulary(corpus, teacher.pieces);
writeFileSync(join(cacheFolder, 'rows.txt'), rows.join('\n'));
report(`${corpus.texts.length} texts, ${rows.length} rows`);

const { directions, targets } = projectCorpus(corpus, width);
report('projected');

const matrix = buildSparse(corpus.texts, createRowVisitor(indexSpellings(Buffer.from(rows.join('\n'), 'latin1'))));
const random = createRandom('split');
const fitted: number[] = [];
const checked: number[] = [];
for (let text = 0; text < corpus.texts.length; text++) (random() < 0.02 ? checked : fitted).push(text);

const table = solveRidge({ ...settings, matrix, texts: fitted, targets, width, guess: await guessTable() });
report(`ridge: cosine ${measureCosine(table).toFixed(4)} on texts not fitted`);
refineTable(table, { ...settings, matrix, texts: fitted, targets, width });
report(`refined: cosine ${measureCosine(table).toFixed(4)} on texts not fitted`);
writeFileSync(join(cacheFolder, 'table.f32'), new Uint8Array(table.buffer));

/** What the teacher says of a word alone, made small where the word is frequent (SIF); nothing for pieces and pairs. */
async function guessTable(): Promise<Float32Array> {
  const path = join(cacheFolder, 'words.i16');
  const names = rows.map((row) => (/^##| /.test(row) ? '' : row));
  const key = join(cacheFolder, 'words.txt');
  if (!existsSync(path) || !existsSync(key) || readFileSync(key, 'utf8') !== names.join('\n')) {
    writeFileSync(path, packVectors(await teacher.embed(names)));
    writeFileSync(key, names.join('\n'));
  }
  const bytes = readFileSync(path);
  const alone = projectRows(
    new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2),
    teacherDimensions,
    directions,
  );
  const counts = new Float64Array(rows.length);
  for (const row of matrix.rows) counts[row] = (counts[row] as number) + 1;
  return alone.map((value, at) => {
    const row = Math.floor(at / width);
    if (!names[row]) return 0;
    return (value * settings.rarity) / (settings.rarity + (counts[row] as number) / matrix.rows.length);
  });
}

function measureCosine(found: Float32Array): number {
  const sum = new Float32Array(width);
  let total = 0;
  for (const text of checked) {
    addRows(matrix, text, found, width, sum);
    const length = Math.hypot(...sum) || 1;
    for (let k = 0; k < width; k++) total += ((sum[k] as number) * (targets[text * width + k] as number)) / length;
  }
  return total / checked.length;
}

/** `name=number` overrides a setting, for trying things out. */
function readArguments(): Record<string, number> {
  return Object.fromEntries(process.argv.slice(2).map((pair) => [pair.split('=')[0], Number(pair.split('=')[1])]));
}

function report(line: string): void {
  process.stderr.write(`${(performance.now() / 1000).toFixed(0)} s: ${line}\n`);
}
