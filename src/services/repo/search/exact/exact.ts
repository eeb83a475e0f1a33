// Searches literal text and regular expressions, with ripgrep if there is one. It needs no index.
import type { ExactQuery, ExactResult, LineHit } from './hit.ts';
import { tryRipgrep } from './try-ripgrep.ts';
import { searchWithRipgrep, type Where } from './with-ripgrep.ts';

/** Ripgrep's threads find files in any order; here they come by path. */
export async function searchExact(query: ExactQuery, where: Where): Promise<ExactResult> {
  const result = await tryRipgrep(
    where,
    (program, signal) => searchWithRipgrep(program, query, { ...where, signal }),
    () => scan(query, where),
  );
  return { ...result, hits: sortHits(result.hits) };
}

/** Lines of a file are together and in order, so only the files need sorting. */
function sortHits(hits: readonly LineHit[]): LineHit[] {
  const files = new Map<string, LineHit[]>();
  for (const hit of hits) {
    const own = files.get(hit.path);
    if (own) own.push(hit);
    else files.set(hit.path, [hit]);
  }
  return [...files].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, own]) => own);
}

async function scan(query: ExactQuery, where: Where): Promise<ExactResult> {
  const { searchWithScan } = await import('./scan.ts');
  return searchWithScan(query, where);
}
