// The part of a document that calls need: without operations that are not exported, responses, examples, and definitions that
// nothing refers to any more.
import { LoreError } from '../../../core/error.ts';
import { isObject } from '../../../core/schema.ts';
import { Api } from '../openapi/api.ts';
import { asObject, type JsonObject, openDocument } from '../openapi/document.ts';
import { describeArguments } from '../source/edit.ts';
import type { CatalogEntry } from '../source/source.ts';

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']);
/** Objects whose keys are names, not keywords. */
const maps = new Set(
  'properties patternProperties $defs definitions paths parameters schemas requestBodies headers responses pathItems content variables mapping securitySchemes securityDefinitions scopes encoding callbacks dependentSchemas additionalOperations x-forge x-files'.split(
    ' ',
  ),
);
/** Values, in which nothing is a keyword. */
const data = new Set(['default', 'const', 'enum']);
const needless = new Set(['example', 'examples', 'externalDocs', 'links', 'callbacks', 'webhooks']);
/** Extensions that calls use. */
const used = new Set(['x-forge', 'x-files', 'x-nullable']);
const sections = ['definitions', 'parameters', 'responses', 'components'];

/** The whole document, if a part of it would describe or send anything else. */
export function pruneDocument(api: Api, entries: readonly CatalogEntry[]): { document: JsonObject; isPruned: boolean } {
  const { root, address } = api.document;
  const names = new Map(entries.map(({ key, name }) => [key, name]));
  try {
    const document = selectNeeded(api, new Set(names.keys()));
    const small = new Api(openDocument(document, address), names);
    if (entries.every((entry) => describeCall(api, entry) === describeCall(small, entry)))
      return { document, isPruned: true };
  } catch (error) {
    // An operation that cannot be read is exported as it is.
    if (!(error instanceof LoreError)) throw error;
  }
  return { document: root, isPruned: false };
}

/** Everything that decides about a request. */
function describeCall(api: Api, entry: CatalogEntry): string {
  const { security, servers, responseTypes, graphql, parameters, body } = api.operation(entry.name);
  return JSON.stringify([
    describeArguments(api, entry),
    [security, servers, responseTypes, graphql],
    parameters.map(({ schema: _, ...parameter }) => parameter),
    body?.contents.map(({ schema: _, ...content }) => content),
  ]);
}

function selectNeeded(api: Api, keys: ReadonlySet<string>): JsonObject {
  const { tags: _, paths, ...root } = api.document.root;
  const names = api.keys;
  const kept = Object.entries(asObject(paths)).flatMap(([path, value]) => {
    const item = asObject(value);
    if (typeof item.$ref === 'string') return [[path, item]];
    const members = Object.entries(item).flatMap(([key, one]) => {
      if (!methods.has(key)) return [[key, one]];
      const operation = `${key} ${path}`;
      if (!keys.has(operation)) return [];
      const { responseTypes } = api.operation(names.get(operation) as string);
      const content = Object.fromEntries(responseTypes.map((type) => [type, {}]));
      return [[key, { ...asObject(one), responses: { 200: { content } } }]];
    });
    return members.some(([key]) => methods.has(key as string) || key === 'additionalOperations')
      ? [[path, Object.fromEntries(members)]]
      : [];
  });
  return sweep(strip({ ...root, paths: Object.fromEntries(kept) }, false) as JsonObject);
}

function strip(value: unknown, isMap: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => strip(one, false));
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(
    ([key]) => isMap || !(needless.has(key) || (key.startsWith('x-') && !used.has(key))),
  );
  return Object.fromEntries(
    members.map(([key, one]) => [key, !isMap && data.has(key) ? one : strip(one, !isMap && maps.has(key))]),
  );
}

/** Drops definitions that nothing refers to, directly or through others. */
function sweep(root: JsonObject): JsonObject {
  const reached = new Set<string>();
  const open: unknown[] = Object.entries(root).flatMap(([key, one]) => (sections.includes(key) ? [] : [one]));
  while (open.length > 0) {
    const node = open.pop();
    if (Array.isArray(node)) open.push(...node);
    if (!isObject(node)) continue;
    // A mapping of a discriminator has references, or names of schemas.
    const mapped = Object.values(isObject(node.mapping) ? node.mapping : {}).map((one) =>
      typeof one === 'string' && !one.includes('/') ? `#/components/schemas/${one}` : one,
    );
    for (const reference of [node.$ref, ...mapped]) {
      if (typeof reference !== 'string' || !reference.startsWith('#/')) continue;
      const [section = '', ...rest] = reference.slice(2).split('/').map(decode);
      const place = section === 'components' ? [section, ...rest.slice(0, 2)] : [section, ...rest.slice(0, 1)];
      const key = JSON.stringify(place);
      if (!sections.includes(section) || reached.has(key)) continue;
      reached.add(key);
      open.push(place.reduce<unknown>((one, step) => asObject(one)[step], root));
    }
    open.push(...Object.values(node));
  }
  const keep = (place: readonly string[], entries: unknown) =>
    Object.fromEntries(
      Object.entries(asObject(entries)).filter(([name]) => reached.has(JSON.stringify([...place, name]))),
    );
  const components = Object.entries(asObject(root.components)).map(([kind, entries]) => [
    kind,
    kind === 'securitySchemes' ? entries : keep(['components', kind], entries),
  ]);
  return {
    ...root,
    ...(root.components !== undefined && { components: Object.fromEntries(components) }),
    ...Object.fromEntries(
      ['definitions', 'parameters', 'responses'].flatMap((kind) =>
        root[kind] === undefined ? [] : [[kind, keep([kind], root[kind])]],
      ),
    ),
  };
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}
