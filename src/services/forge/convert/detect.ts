// Recognises the format of a document by its content, and reads it as OpenAPI.
import { convertGraphql } from '../graphql/convert.ts';
import { findIntrospection, readIntrospection } from '../graphql/introspection.ts';
import { readSdl } from '../graphql/sdl.ts';
import { type ApiDocument, asObject, openDocument } from '../openapi/document.ts';
import { convertDiscovery, isDiscovery } from './google.ts';
import { convertHar, isHar } from './har.ts';
import { convertPostman, isPostman } from './postman.ts';

export interface DetectedDocument {
  document: ApiDocument;
  /** As in `OpenAPI 3.1`. */
  format: string;
}

export function detectDocument(value: unknown, address: string, title: string): DetectedDocument {
  const introspection = findIntrospection(asObject(value));
  if (introspection || typeof value === 'string') {
    const schema = introspection ? readIntrospection(introspection) : readSdl(value as string);
    // Without an address, `--base` is needed, as for an OpenAPI document without servers.
    return { document: openDocument(convertGraphql(schema, title, address || '/'), address), format: 'GraphQL' };
  }
  // Only our own documents may say what a call does.
  const { 'x-forge': _, ...root } = asObject(value);
  if (isDiscovery(root)) return { document: openDocument(convertDiscovery(root), address), format: 'Google discovery' };
  if (isPostman(root)) return { document: openDocument(convertPostman(root), address), format: 'Postman' };
  if (isHar(root)) return { document: openDocument(convertHar(root), address), format: 'HAR' };
  const document = openDocument(root, address);
  return { document, format: `${document.version === '2.0' ? 'Swagger' : 'OpenAPI'} ${document.version}` };
}
