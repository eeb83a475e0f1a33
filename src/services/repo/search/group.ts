// Groups matching lines: neighbouring lines of a file are one match, and matches of a file are together.
import type { LineHit } from './exact/hit.ts';

export interface PlaceFound {
  start: number;
  end: number;
  text: string;
  /** The matching lines, if there is context around them. */
  lines?: number[] | undefined;
  /** The symbol defined there. */
  symbol?: string | undefined;
}

export interface FileFound {
  path: string;
  score?: number | undefined;
  places: PlaceFound[];
}

/** Sorted hits. Without context every line is a place of its own. */
export function groupHits(hits: readonly LineHit[], withContext: boolean): FileFound[] {
  const files: FileFound[] = [];
  let last: LineHit | undefined;
  for (const hit of hits) {
    if (last?.path !== hit.path) files.push({ path: hit.path, places: [] });
    const { places } = files.at(-1) as FileFound;
    const place = places.at(-1);
    if (withContext && place && last?.path === hit.path && hit.line <= place.end + 1) {
      if (hit.line > place.end) {
        place.end = hit.line;
        place.text += `\n${hit.text}`;
      }
      if (!hit.context) place.lines?.push(hit.line);
    } else {
      const own = { start: hit.line, end: hit.line, text: hit.text };
      places.push(withContext ? { ...own, lines: hit.context ? [] : [hit.line] } : own);
    }
    last = hit;
  }
  return files;
}

export function countPlaces(files: readonly FileFound[]): number {
  return files.reduce((sum, { places }) => sum + places.length, 0);
}

/** A number of places from `start` on, within the text limit of a page; at least one. */
export function pagePlaces(files: readonly FileFound[], start: number, limit: number, maxText: number): FileFound[] {
  const page: FileFound[] = [];
  let [at, taken, text] = [0, 0, 0];
  for (const file of files) {
    for (const place of file.places) {
      if (at++ < start) continue;
      text += place.text.length;
      if (taken >= limit || (taken > 0 && text > maxText)) return page;
      taken++;
      const last = page.at(-1);
      if (last?.path === file.path) last.places.push(place);
      else page.push({ ...file, places: [place] });
    }
  }
  return page;
}
