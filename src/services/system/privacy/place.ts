// Where an installation keeps what makes its pseudonyms: in the folder of what it keeps besides its database.
import { join } from 'node:path';
import { folderBeside } from '../../../core/location.ts';

interface PrivacyPlace {
  /** 32 bytes, readable by its owner alone. Without it no pseudonym can be made again or turned back. */
  key: string;
  /** Which pseudonym was told for what. */
  map: string;
}

export function locatePrivacy(database: string): PrivacyPlace {
  const folder = folderBeside(database);
  return { key: join(folder, 'pseudonyms.key'), map: join(folder, 'pseudonyms.map') };
}
