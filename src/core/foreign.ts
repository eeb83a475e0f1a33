// Schemas that come from outside (mounted servers, API descriptions): JSON Schema 2020-12 checked by Ajv, which is loaded
// only when such a schema exists. A `$ref` to the network is never followed, and the size of a schema is bounded.
import type { Ajv, CodeOptions, ErrorObject, ValidateFunction } from 'ajv';
import { loadAjv } from './ajv.ts';
import { LoreError } from './error.ts';
import { compilePattern } from './foreign-pattern.ts';
import type { JsonSchema, Schema } from './schema.ts';

const maxNodes = 5_000;
const maxDepth = 64;

/** Throws `invalid_input` if the schema is too large to check safely; its validity is checked on use. */
export function fromJsonSchema(json: JsonSchema): Schema<unknown> {
  measure(json);
  let validate: ValidateFunction | undefined;
  const compiled = () => {
    validate ??= compile(json);
    return validate;
  };
  return {
    json,
    expected: 'a value that fits its schema',
    warm: compiled,
    read(value, path, issues) {
      const fits = compiled();
      if (fits(value)) return value;
      for (const error of fits.errors ?? []) {
        issues.push({
          path: placeOf(path, error),
          expected: error.message ?? error.keyword,
          received: receivedOf(error),
        });
      }
      return value;
    },
  };
}

/** One for all schemas: preparing another takes longer than most schemas do. */
let shared: Ajv | undefined;

function compile(json: JsonSchema): ValidateFunction {
  shared ??= createAjv();
  try {
    return shared.compile(json);
  } catch (error) {
    throw new LoreError('invalid_input', 'Cannot use the schema: it is not valid JSON Schema 2020-12', {
      details: { schema: json.$id },
      cause: error,
    });
  } finally {
    // Two schemas may have the same id, and neither may refer to the other.
    shared.removeSchema(json);
  }
}

function createAjv(): Ajv {
  const { Ajv2020 } = loadAjv();
  // The code is used for standalone modules only, which we do not make.
  const regExp = Object.assign(compilePattern, { code: 'new RegExp' });
  const code = { regExp: regExp as unknown as NonNullable<CodeOptions['regExp']> };
  return new Ajv2020({ strict: false, allErrors: false, verbose: true, validateFormats: false, code });
}

/** Composition keywords can make a check expensive; a schema beyond these bounds is refused before it is compiled. */
function measure(json: JsonSchema): void {
  let nodes = 0;
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null) return;
    nodes++;
    if (nodes > maxNodes || depth > maxDepth) {
      throw new LoreError('invalid_input', 'Cannot use the schema: it is too large', {
        details: { expected: `at most ${maxNodes} nodes and ${maxDepth} levels` },
      });
    }
    for (const entry of Object.values(value)) visit(entry, depth + 1);
  };
  visit(json, 0);
}

function placeOf(path: string, error: ErrorObject): string {
  return path + error.instancePath.replaceAll('/', '.');
}

function receivedOf(error: ErrorObject): string {
  return error.data === null ? 'null' : Array.isArray(error.data) ? 'array' : typeof error.data;
}
