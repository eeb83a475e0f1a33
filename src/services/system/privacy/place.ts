// The location of the pseudonym key and map, beside the database.
import { join } from 'node:path';
import { folderBeside } from '../../../core/location.ts';

interface PrivacyPlace {
  /** 32 bytes, readable only by the owner. Without it pseudonyms can neither be recomputed nor revealed. */
  key: string;
  /** The values behind pseudonyms. */
  map: string;
}

export function locatePrivacy(database: string): PrivacyPlace {
  const folder = folderBeside(database);
  return { key: join(folder, 'pseudonyms.key'), map: join(folder, 'pseudonyms.map') };
}
