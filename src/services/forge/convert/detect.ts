// Recognises the format of a document by its content, and reads it as OpenAPI.
import { type ApiDocument, asObject, openDocument } from '../openapi/document.ts';
import { convertDiscovery, isDiscovery } from './google.ts';
import { convertHar, isHar } from './har.ts';
import { convertPostman, isPostman } from './postman.ts';

export interface DetectedDocument {
  document: ApiDocument;
  /** As in `OpenAPI 3.1`. */
  format: string;
}

export function detectDocument(value: unknown, address: string): DetectedDocument {
  const root = asObject(value);
  if (isDiscovery(root)) return { document: openDocument(convertDiscovery(root), address), format: 'Google discovery' };
  if (isPostman(root)) return { document: openDocument(convertPostman(root), address), format: 'Postman' };
  if (isHar(root)) return { document: openDocument(convertHar(root), address), format: 'HAR' };
  const document = openDocument(value, address);
  return { document, format: `${document.version === '2.0' ? 'Swagger' : 'OpenAPI'} ${document.version}` };
}
