// Checks search results against the files. A search program may follow a folder that was replaced by a link, and a single line
// does not show that it belongs to a private key. Only lines from a safely opened file are shown, redacted in context.
import { runSoon } from '../../../core/steps.ts';
import { decodeInSteps } from '../../../files/decode.ts';
import { readInside } from '../../../files/inside.ts';
import { indexLines, type LineList } from '../../../files/lines.ts';
import { redactRange } from '../../../files/redact-range.ts';
import { bounds, cutLine } from './exact/hit.ts';
import type { FileFound, PlaceFound } from './group.ts';

/** Without files that are not to be read, or are gone. */
export async function confirmFiles(root: string, files: readonly FileFound[]): Promise<FileFound[]> {
  const confirmed: FileFound[] = [];
  for (const file of files) {
    const bytes = await readInside(root, file.path, bounds.namedSize);
    const text = bytes && (await runSoon(decodeInSteps(bytes)));
    if (text === undefined) continue;
    const lines = await runSoon(indexLines(text));
    const places: PlaceFound[] = [];
    for (const place of file.places) places.push(await confirmPlace(place, lines));
    confirmed.push({ ...file, places });
  }
  return confirmed;
}

async function confirmPlace(place: PlaceFound, lines: LineList): Promise<PlaceFound> {
  const shown = place.text.split('\n');
  const clean = await redactRange(lines, place.start, Math.max(place.end, place.start + shown.length - 1));
  const whole = place.symbol === undefined ? '' : squeeze(clean.join(' '));
  const text = shown.map((line, at) => {
    const now = clean[at] ?? '';
    // A signature may be one line here and several in the file.
    const isThere = now.includes(uncut(line)) || (place.symbol !== undefined && whole.includes(squeeze(line)));
    return isThere ? line : cutLine(now, 0);
  });
  return { ...place, text: text.join('\n') };
}

function uncut(line: string): string {
  return line.replace(/^…|…$/g, '').trimEnd();
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
