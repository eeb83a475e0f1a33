// The body of a GraphQL request: the query with the fields that the caller or the forge chose, and the variables.
import { LoreError } from '../../../core/error.ts';
import { isObject } from '../../../core/schema.ts';
import type { JsonObject } from '../openapi/document.ts';
import type { GraphqlCall } from './convert.ts';

export function writeQuery({ start, fields }: GraphqlCall, { body, _fields }: JsonObject): string {
  const chosen = typeof _fields === 'string' && fields !== '' ? `{ ${checkFields(_fields)} }` : fields;
  return JSON.stringify({ query: `${start} ${chosen} }`, variables: body ?? {} });
}

/** Fields must not end the query and begin another. Without strings and comments, counting braces is exact. */
function checkFields(fields: string): string {
  let depth = 0;
  const isOpen = [...fields].every((character) => {
    if (character === '{') depth++;
    if (character === '}') depth--;
    return depth >= 0 && character !== '"' && character !== '#';
  });
  if (isOpen && depth === 0 && fields.trim() !== '') return fields;
  throw new LoreError(
    'invalid_input',
    'Cannot select the fields: expected names with balanced braces, without strings',
    {
      details: { path: 'arguments._fields', expected: 'id name owner { login }', received: fields.slice(0, 200) },
    },
  );
}

/** A query that failed is answered with status 200 and a list of errors. */
export function findGraphqlError(name: string, data: unknown): LoreError | undefined {
  if (!isObject(data) || !Array.isArray(data.errors) || data.errors.length === 0) return undefined;
  const isEmpty = !isObject(data.data) || Object.values(data.data).every((value) => value === null);
  if (!isEmpty) return undefined;
  return new LoreError('invalid_input', `Cannot run "${name}": the API reported errors`, {
    details: { response: JSON.stringify(data.errors).slice(0, 2_000) },
  });
}
