// Step 1. Texts to fit on: prose of the listed packages, then chat-like frames of our own around WordNet's words. Every
// package leaves a file, so that a broken run goes on where it stopped.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readParagraphs, splitSentences } from './extract.ts';
import { fetchPackage } from './fetch.ts';
import { writeFrames } from './frames.ts';
import { cacheFolder } from './paths.ts';
import { createRandom, shuffle } from './random.ts';
import { type Source, sources } from './sources.ts';
import { openTeacher } from './teacher.ts';

const folder = join(cacheFolder, 'texts');
mkdirSync(folder, { recursive: true });
for (const source of sources) gatherSource(source);
await gatherFrames();

function gatherSource(source: Source): void {
  const target = join(folder, `${source.name.replace('/', '+')}.txt`);
  if (existsSync(target)) return;
  const unpacked = fetchPackage(source.name, source.version, source.integrity);
  const seen = new Map<string, string>();
  for (const paragraph of readParagraphs(unpacked, source.kind)) {
    for (const text of splitSentences(paragraph)) {
      // Generated references repeat one sentence with another name or number in it.
      const key = text
        .toLowerCase()
        .replace(/[^a-z]+/g, '')
        .slice(0, 60);
      if (!seen.has(key)) seen.set(key, text);
    }
  }
  const texts = shuffle([...seen.values()], createRandom(source.name)).slice(0, source.quota);
  writeFileSync(target, texts.join('\n'));
  rmSync(dirname(unpacked), { recursive: true, force: true });
  process.stderr.write(`${source.name}: ${texts.length} of ${seen.size} texts\n`);
}

async function gatherFrames(): Promise<void> {
  const target = join(folder, 'frames.txt');
  if (existsSync(target)) return;
  const { name, version, integrity } = sources.find(({ kind }) => kind === 'wordnet') as Source;
  const { pieces } = await openTeacher();
  writeFileSync(target, writeFrames(fetchPackage(name, version, integrity), pieces).join('\n'));
}
