// Shortens a long output: its beginning, its end and the lines around failures.

/** Shorter texts are kept unchanged. */
const keptWhole = 8_000;
const atEnds = 2_000;
const around = 6;

const significant = /error|exception|fatal|panic|fail|denied|cannot|E[A-Z]{4,}/i;

export function excerpt(text: string): string {
  if (text.length <= keptWhole) return text;
  const head = text.slice(0, atEnds);
  const tail = text.slice(-atEnds);
  const middle = text.slice(atEnds, -atEnds).split('\n');
  const kept: string[] = [];
  let room = keptWhole - 2 * atEnds;
  let last = -1;
  for (const [at, line] of middle.entries()) {
    if (at <= last || !significant.test(line.slice(0, longestLine))) continue;
    const from = Math.max(last + 1, at - 1);
    const some = middle.slice(from, at + around).map((one) => one.slice(0, longestLine));
    if (from > last + 1) kept.push('…');
    room -= some.reduce((sum, one) => sum + one.length + 1, 2);
    if (room <= 0) break;
    kept.push(...some);
    last = at + around - 1;
  }
  return [head, ...kept, '…', tail].join('\n');
}

const longestLine = 2_000;
