// Pseudonyms for results of the system tools, if the setting is on. Opened on first use; if the key is unavailable, calls
// fail rather than show names.
import type { GraphAccess } from '../../../graph/access.ts';
import type { LogEntry } from '../eventlog/entry.ts';
import type { PseudonymMap } from './map.ts';
import type { Pseudonyms } from './pseudonym.ts';

export interface Opened {
  mask(text: string): string;
  pseudonyms: Pseudonyms;
  map: PseudonymMap;
}

export interface Privacy {
  isOn(): boolean;
  open(): Promise<Opened>;
  /** An entry with pseudonyms; undefined if the setting is off. */
  openMask(): Promise<((entry: LogEntry) => LogEntry) | undefined>;
}

export function createPrivacy(access: Pick<GraphAccess, 'location'>, isOn: () => boolean): Privacy {
  let opening: Promise<Opened> | undefined;
  const open = () => {
    opening ??= openPrivacy(access.location).catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    isOn,
    open,
    async openMask() {
      if (!isOn()) return undefined;
      const { mask } = await open();
      return (entry) => ({ ...entry, source: mask(entry.source), message: mask(entry.message) });
    },
  };
}

async function openPrivacy(location: string): Promise<Opened> {
  const [{ openKey }, { openMap }, { createPseudonyms }, { findKnownNames }, { createMask }, { locatePrivacy }] =
    await Promise.all([
      import('./key.ts'),
      import('./map.ts'),
      import('./pseudonym.ts'),
      import('./known.ts'),
      import('./mask.ts'),
      import('./place.ts'),
    ]);
  const place = locatePrivacy(location);
  const key = await openKey(place.key);
  const pseudonyms = createPseudonyms(key);
  return { pseudonyms, map: openMap(place.map, key), mask: createMask(pseudonyms, await findKnownNames()) };
}
