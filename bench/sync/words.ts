// Texts of real words, in which frequent words are frequent.
import { execFileSync } from 'node:child_process';

const wordsEach = 60;

/** Writes another text each time, of the words in our own documents. */
export function createWriter(root: string, random: (below: number) => number): () => string {
  const text = execFileSync('git', ['-C', root, 'grep', '-h', '-I', '', '--', '*.md'], {
    maxBuffer: 1 << 28,
  }).toString();
  const words = [...new Set(text.match(/[A-Za-z]{3,12}/g) ?? [])].slice(0, 6_000);
  const word = () => words[Math.floor((random(1_000_000) / 1_000_000) ** 3 * words.length)] as string;
  return () => `${Array.from({ length: wordsEach }, word).join(' ')}.`;
}
