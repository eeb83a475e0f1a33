// The specification's own schema of each revision, as a question: does this value fit that type? The files are the
// specification's, unchanged; the tasks extension has none, so its shapes are written down here beside them.
import { readFileSync } from 'node:fs';
import { Ajv, type AnySchema, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Revision } from '../../src/protocol/revision.ts';
import { taskDefinitions } from './task-schema.ts';

type Definitions = { [type: string]: { [keyword: string]: unknown } };

interface SchemaFile {
  $schema: string;
  definitions?: Definitions;
  $defs?: Definitions;
}

interface Oracle {
  /** Whether the revision has a type of this name at all. */
  knows(type: string): boolean;
  /** Why the value is not of the type; nothing where it is. */
  findProblem(type: string, value: unknown): string | undefined;
}

/**
 * Types without an index signature in schema.ts: a field they do not name is one the revision does not have. The JSON
 * rendering of the schema leaves every object open, so it alone would let newer fields through to older clients.
 */
const closedTypes = new Set([
  'Annotations',
  'AudioContent',
  'BlobResourceContents',
  'EmbeddedResource',
  'ImageContent',
  'Implementation',
  'Prompt',
  'PromptArgument',
  'PromptMessage',
  'Resource',
  'ResourceLink',
  'ResourceTemplate',
  'ServerCapabilities',
  'TextContent',
  'TextResourceContents',
  'Tool',
  'ToolAnnotations',
]);

const loaded = new Map<Revision, Oracle>();

export function loadOracle(revision: Revision): Oracle {
  let oracle = loaded.get(revision);
  if (!oracle) {
    oracle = compile(revision);
    loaded.set(revision, oracle);
  }
  return oracle;
}

function compile(revision: Revision): Oracle {
  const file = new URL(`../conformance/schema/${revision}.json`, import.meta.url);
  const schema = JSON.parse(readFileSync(file, 'utf8')) as SchemaFile;
  const options = { strict: false, allErrors: false, validateFormats: false };
  const ajv = schema.$schema.includes('2020-12') ? new Ajv2020(options) : new Ajv(options);
  const place = schema.$defs ? '$defs' : 'definitions';
  const own = schema[place] ?? {};
  const types: Definitions = revision === '2026-07-28' ? { ...own, ...taskDefinitions } : own;
  const closed = Object.entries(types).map(([name, type]) => {
    return [name, closedTypes.has(name) ? { ...type, additionalProperties: false } : type];
  });
  ajv.addSchema({ ...schema, [place]: Object.fromEntries(closed) } as AnySchema, 'mcp');

  function validatorOf(type: string): ValidateFunction {
    const validate = Object.hasOwn(types, type) ? ajv.getSchema(`mcp#/${place}/${type}`) : undefined;
    if (!validate) throw new Error(`Revision ${revision} has no type ${type}`);
    return validate as ValidateFunction;
  }

  return {
    knows: (type) => Object.hasOwn(types, type),
    findProblem(type, value) {
      const validate = validatorOf(type);
      if (validate(value)) return undefined;
      const reasons = (validate.errors ?? []).map(({ instancePath, message, params }) => {
        return `${instancePath} ${message} ${JSON.stringify(params)}`;
      });
      return `${type}: ${reasons.join('; ')}`;
    },
  };
}
