// Secrets that the lines of a search result do not show to be secrets: the middle of a private key, a value below its name. The
// whole file is looked at, and lines that differ once it is redacted are shown as they are then.
import { redactLines } from '../../../core/redact.ts';
import { bounds, cutLine } from './exact/hit.ts';
import type { FileFound, PlaceFound } from './group.ts';
import { readText } from './ranked/text.ts';

export async function hideSecrets(root: string, files: readonly FileFound[]): Promise<FileFound[]> {
  const clean: FileFound[] = [];
  for (const file of files) {
    const text = await readText(root, file.path, bounds.fileSize);
    const redacted = text === undefined ? undefined : redactLines(text);
    if (text === undefined || redacted === undefined || redacted === text) clean.push(file);
    else clean.push({ ...file, places: hideIn(file.places, text.split('\n'), redacted.split('\n')) });
  }
  return clean;
}

function hideIn(places: readonly PlaceFound[], lines: readonly string[], clean: readonly string[]): PlaceFound[] {
  return places.map((place) => {
    const shown = place.text.split('\n').map((line, i) => {
      const at = place.start - 1 + i;
      return clean[at] === lines[at] ? line : cutLine(clean[at] ?? '', 0);
    });
    return { ...place, text: shown.join('\n') };
  });
}
