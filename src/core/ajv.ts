// Loads Ajv when a schema needs it. An exported server has no packages: the build replaces this file by one with Ajv in it.
import { createRequire } from 'node:module';

export function loadAjv(): typeof import('ajv/dist/2020.js') {
  return createRequire(import.meta.url)('ajv/dist/2020.js');
}
