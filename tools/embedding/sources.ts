// The packages whose prose the table is fitted on, as listed in sources.txt: permissive licences only, exact versions, read
// for fitting and never shipped. A quota is the most texts taken, so that no verbose package drowns the rest.
import { readFileSync } from 'node:fs';

/** How a package's texts are found; `docs` is documentation comments and Markdown. */
export type SourceKind = 'docs' | 'described' | 'diagnostics' | 'mail' | 'wordnet' | 'book';

export interface Source {
  name: string;
  version: string;
  licence: string;
  kind: SourceKind;
  quota: number;
  integrity: string;
}

export const sources: readonly Source[] = readFileSync(new URL('sources.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
  .map((line) => {
    const [name, version, licence, kind, quota, integrity] = line.split(' ') as [string, ...string[]];
    return { name, version, licence, kind, quota: Number(quota), integrity } as Source;
  });
