// The content of blobs, many with one process of git.
import { LoreError } from '../../core/error.ts';
import { streamGit } from './git.ts';

/** The output of `cat-file --batch`, read as latin1; undefined if something else is among them. */
export function parseBlobs(output: string): Map<string, Buffer> | undefined {
  const bytes = Buffer.from(output, 'latin1');
  const found = new Map<string, Buffer>();
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\n', at);
    const [blob = '', type, size] = bytes.toString('latin1', at, end).split(' ');
    if (type !== 'blob') return undefined;
    found.set(blob, bytes.subarray(end + 1, end + 1 + Number(size)));
    at = end + 1 + Number(size) + 1;
  }
  return found;
}

/** By blob. One that a partial clone does not have is absent: git ends at the first such, so the others are read in halves. */
export async function readBlobs(
  folder: string,
  blobs: readonly string[],
  maxBytes: number,
): Promise<Map<string, Buffer | 'too large'>> {
  if (blobs.length === 0) return new Map();
  try {
    const lines = (await ask(folder, '--batch-check=%(objectname) %(objectsize)', blobs)).trim().split('\n');
    const sizes = lines.map((line) => line.split(' ') as [string, string]);
    const large = sizes.filter(([, size]) => Number(size) > maxBytes).map(([blob]) => [blob, 'too large'] as const);
    const small = sizes.flatMap(([blob, size]) => (Number(size) <= maxBytes ? blob : []));
    const found = parseBlobs(small.length === 0 ? '' : await ask(folder, '--batch', small));
    if (found) return new Map<string, Buffer | 'too large'>([...large, ...found]);
  } catch (error) {
    if (!(error instanceof LoreError) || error.word !== 'unavailable') throw error;
  }
  if (blobs.length === 1) return new Map();
  const middle = blobs.length >> 1;
  const first = await readBlobs(folder, blobs.slice(0, middle), maxBytes);
  return new Map([...first, ...(await readBlobs(folder, blobs.slice(middle), maxBytes))]);
}

async function ask(folder: string, format: string, blobs: readonly string[]): Promise<string> {
  const parts: string[] = [];
  const limits = { input: `${blobs.join('\n')}\n`, encoding: 'latin1' } as const;
  for await (const part of streamGit(folder, ['cat-file', format], limits)) parts.push(part);
  return parts.join('');
}
