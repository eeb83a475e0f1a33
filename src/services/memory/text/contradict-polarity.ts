// Whether two statements say the same, one of them with "not". Every other word must agree: an added condition or scope
// makes it another statement.
import type { Statement, Word } from './contradict-statement.ts';

/** Words that carry the polarity or the force of a statement, not its matter. */
const force = new Set(
  'not never always may can must should shall will do please you we i be allow have to only ok fine permit'.split(' '),
);
/** What allows or orders; against "never", its presence denies. */
const allowing = new Set(['may', 'can', 'always', 'must', 'should']);

/** Why the newer denies the older, or nothing; `clauses` are the parts of the newer statement. */
export function replacesByPolarity(older: Statement, clauses: readonly Statement[]): string | undefined {
  const matter = matterOf(older.words);
  if (matter.length === 0) return undefined;
  for (const clause of clauses) {
    if (clause.adds || clause.negated === older.negated) continue;
    const other = matterOf(clause.words);
    if (!agree(matter, other)) continue;
    if (matter.length < 2 && !isOrder(older) && !isOrder(clause)) continue;
    return clause.negated ? 'denies what the older says' : 'says what the older denies';
  }
  return undefined;
}

function matterOf(words: readonly Word[]): string[] {
  return words.map(({ root }) => root).filter((root) => !force.has(root));
}

/** The same words in the same order; the newer may go on to say what holds in its stead ("… but with cursors"). */
function agree(older: string[], newer: string[]): boolean {
  if (newer.length < older.length || !older.every((root, i) => newer[i] === root)) return false;
  return newer.length === older.length || newer[older.length] === 'but';
}

function isOrder({ words }: Statement): boolean {
  const first = words[0]?.low ?? '';
  return force.has(first) || allowing.has(first) || words.length <= 3;
}
