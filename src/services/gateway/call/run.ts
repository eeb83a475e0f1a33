// Runs one tool of a mounted server: approval, arguments, request, answer.
import { LoreError } from '../../../core/error.ts';
import { fromJsonSchema } from '../../../core/foreign.ts';
import { check, type JsonSchema, type Schema } from '../../../core/schema.ts';
import {
  missingTool,
  type ProvidedAnswer,
  type ProvidedCall,
  type ToolArguments,
} from '../../../core/tool-provider.ts';
import { catalogOf, completeArguments, type MountedTool, requireApproval } from '../catalog.ts';
import type { Gateway } from '../gateway.ts';
import type { MountState } from '../mount/store.ts';
import { explainFailure, readAnswer } from './answer.ts';
import type { ParkedCalls } from './parked.ts';

export interface LocatedMount {
  state: MountState;
  mounted: MountedTool;
}

/** As it is now: it may have changed since it was found. */
export function locateMounted(gateway: Gateway, source: string, name: string): LocatedMount {
  const state = gateway.store.get(source);
  const catalog = catalogOf(state);
  const mounted = catalog.find(({ provided }) => provided.name === name);
  if (!mounted)
    throw missingTool(
      name,
      catalog.map(({ provided }) => provided),
    );
  requireApproval(state, mounted);
  return { state, mounted };
}

/** Compiled once for each version of a catalog. Undefined if the server's schema is not valid: then the server checks alone. */
const schemas = new WeakMap<JsonSchema, Schema<unknown> | undefined>();

function schemaOf(json: JsonSchema): Schema<unknown> | undefined {
  if (schemas.has(json)) return schemas.get(json);
  let schema: Schema<unknown> | undefined;
  try {
    schema = fromJsonSchema(json);
    schema.warm?.();
  } catch (error) {
    if (!(error instanceof LoreError)) throw error;
    schema = undefined;
  }
  schemas.set(json, schema);
  return schema;
}

export function acceptArguments({ state: { mount }, mounted }: LocatedMount, given: ToolArguments): ToolArguments {
  const { provided, tool, schema: json } = mounted;
  const locked = Object.keys(mount.locked ?? {}).find((name) => Object.hasOwn(given, name));
  if (locked !== undefined)
    throw new LoreError('forbidden', `Cannot run "${provided.name}": the user set the argument "${locked}"`, {
      hint: 'Call it without this argument.',
    });
  const schema = schemaOf(json);
  if (schema) check(schema, given, 'arguments', `run "${provided.name}"`);
  return completeArguments(mount, tool, given);
}

export async function runMounted(
  gateway: Gateway,
  parked: ParkedCalls,
  located: LocatedMount,
  args: ToolArguments,
  { call }: Pick<ProvidedCall, 'call'>,
): Promise<ProvidedAnswer> {
  const { state, mounted } = located;
  const { provided, tool } = mounted;
  const key = JSON.stringify([call.caller.id, provided.name, args]);
  try {
    const result = await parked.run(key, call, (context) =>
      gateway.request(
        state,
        'tools/call',
        { name: tool.name, arguments: args },
        {
          ...context,
          schema: mounted.schema,
          isRepeatable: provided.effect === 'read',
        },
      ),
    );
    return readAnswer(provided.name, result);
  } catch (error) {
    throw explainFailure(provided.name, error);
  }
}
