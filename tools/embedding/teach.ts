// Step 2. The teacher's vector of every gathered text, as 16-bit integers (its own weights are 8-bit). Appended in blocks:
// a broken run goes on where it stopped.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { splitCase } from '../../src/search/wordpiece.ts';
import { cacheFolder } from './paths.ts';
import { openTeacher, teacherDimensions } from './teacher.ts';
import { packVectors } from './vectors.ts';

/** Each round takes this part of every file, so that an unfinished run is a fair sample. */
const rounds = 16;

const folder = join(cacheFolder, 'vectors');
mkdirSync(folder, { recursive: true });
const teacher = await openTeacher();

const files = readdirSync(join(cacheFolder, 'texts')).sort();
for (let round = 1; round <= rounds; round++) {
  for (const file of files) await teachPart(file, round / rounds);
}

async function teachPart(file: string, part: number): Promise<void> {
  const texts = readFileSync(join(cacheFolder, 'texts', file), 'utf8').split('\n');
  const target = join(folder, file.replace(/txt$/, 'i16'));
  const done = existsSync(target) ? statSync(target).size / (teacherDimensions * 2) : 0;
  const end = Math.ceil(texts.length * part);
  if (done < end) {
    const began = performance.now();
    const vectors = await teacher.embed(texts.slice(done, end).map(spellIdentifiers));
    appendFileSync(target, packVectors(vectors));
    const rate = Math.round((vectors.length / (performance.now() - began)) * 1000);
    process.stderr.write(`${file}: ${end} of ${texts.length}, ${rate} texts/s\n`);
  }
}

/** The teacher reads `getUserName` as one unknown word; as three it knows what is meant. */
function spellIdentifiers(text: string): string {
  return text.replace(/\p{L}[\p{L}\d]*/gu, (word) =>
    teacher.pieces.has(word.toLowerCase()) ? word : splitCase(word).join(' '),
  );
}
