// "Did you mean …?" for a misspelt name: of a command, option, tool, program, skill.

const mostNames = 3;
/** Longer names are not compared letter by letter: they may come from a caller. */
const longestName = 64;

/** `Did you mean "recall"?`, or undefined if no name is close. */
export function didYouMean(given: string, names: Iterable<string>): string | undefined {
  const found = findSimilarNames(given, names).map((name) => JSON.stringify(name));
  return found.length === 0 ? undefined : `Did you mean ${found.join(' or ')}?`;
}

/** The names that begin with the given one, or else those with the fewest typing errors between. */
export function findSimilarNames(given: string, names: Iterable<string>): string[] {
  const wanted = fold(given);
  if (wanted === '' || wanted.length > longestName) return [];
  const all = [...new Set(names)].filter((name) => name.length <= longestName && name !== given);
  const longer = wanted.length < 3 ? [] : all.filter((name) => fold(name).startsWith(wanted));
  if (longer.length > 0) return longer.slice(0, mostNames);
  const most = Math.max(1, Math.floor(wanted.length / 3));
  const scored = all.map((name) => ({ name, errors: countErrors(wanted, fold(name)) }));
  const least = Math.min(most, ...scored.map(({ errors }) => errors));
  return scored
    .filter(({ errors }) => errors === least)
    .map(({ name }) => name)
    .slice(0, mostNames);
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[_\s]/g, '-');
}

/** Letters to insert, delete, replace, or swap with the next. */
function countErrors(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const at = (line: number[], index: number) => line[index] as number;
      let errors = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        errors = Math.min(errors, at(before, j - 2) + 1);
      row.push(errors);
    }
    [before, last] = [last, row];
  }
  return last[b.length] as number;
}
