// One conversation, and what its client sees of it, reduced to what two servers can be expected to agree on.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { EmptyResultSchema } from '@modelcontextprotocol/sdk/types.js';

type Json = { [key: string]: unknown };
export type Observation = Record<string, unknown>;

export async function observe(client: Client): Promise<Observation> {
  const seen: Observation = {};
  const note = async (step: string, look: () => Promise<unknown>) => {
    seen[step] = await look().catch((error: { code?: number }) => ({ error: error.code }));
  };
  const call = (name: string, args?: Json) => async () => {
    const { content, isError, structuredContent } = await client.callTool({
      name,
      ...(args ? { arguments: args } : {}),
    });
    if (isError === true) return { isError };
    return { content, ...(structuredContent === undefined ? {} : { structuredContent }) };
  };

  await note('tools', async () => (await client.listTools()).tools.map(reduceTool).sort(byName));
  await note('resources', async () => (await client.listResources()).resources);
  await note('templates', async () => (await client.listResourceTemplates()).resourceTemplates);
  await note('prompts', async () => (await client.listPrompts()).prompts);

  await note('a call', call('greet', { name: 'Ada' }));
  await note('a structured result', call('add', { a: 1, b: 2 }));
  await note('a default', call('limit', {}));
  await note('no arguments at all', call('limit'));
  await note('a picture', call('picture', {}));
  await note('a failure', call('fail', {}));
  await note('the words of a failure', async () => (await client.callTool({ name: 'fail', arguments: {} })).content);
  await note('an argument of the wrong type', call('greet', { name: 7 }));
  await note('a missing argument', call('add', { a: 1 }));
  await note('a number out of range', call('limit', { limit: 10 }));
  await note('a number that is not whole', call('limit', { limit: 1.5 }));
  await note('an argument too many', call('greet', { name: 'Ada', nmae: 'Ada' }));
  await note('a tool that is not there', call('nothing', {}));

  await note('progress', async () => {
    const steps: unknown[] = [];
    await client.callTool({ name: 'count', arguments: {} }, undefined, { onprogress: (step) => steps.push(step) });
    return steps;
  });
  await note('a resource', async () => (await client.readResource({ uri: 'note://one' })).contents);
  await note('a resource of a template', async () => (await client.readResource({ uri: 'page://7' })).contents);
  await note('a resource that is not there', () => client.readResource({ uri: 'note://two' }));
  await note('a prompt', () =>
    client.getPrompt({ name: 'review', arguments: { code: 'x', style: 'stern', note: 'y' } }),
  );
  await note('a prompt without what it may have', () =>
    client.getPrompt({ name: 'review', arguments: { code: 'x', style: 'kind' } }),
  );
  await note('a prompt without what it must have', () =>
    client.getPrompt({ name: 'review', arguments: { code: 'x' } }),
  );
  await note('a prompt that is not there', () => client.getPrompt({ name: 'nothing' }));

  const ref = { type: 'ref/prompt' as const, name: 'review' };
  const complete = (name: string, value: string) => async () => {
    const { values, hasMore } = (await client.complete({ ref, argument: { name, value } })).completion;
    return { values, hasMore };
  };
  await note('a completion', complete('style', 'st'));
  await note('a completion of what has none', complete('code', 'x'));
  await note('ping', () => client.ping());
  await note('a log level', () => client.setLoggingLevel('error'));
  await note('a method that is not there', () => client.request({ method: 'nothing/there' }, EmptyResultSchema));
  return seen;
}

/** Schemas are written differently by every library; what they say of each property is the same. */
function reduceTool({ name, title, description, inputSchema, outputSchema }: Json): Json {
  return { name, title, description, input: reduceSchema(inputSchema), output: reduceSchema(outputSchema) };
}

function reduceSchema(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const { properties, required } = schema as { properties?: Record<string, Json>; required?: string[] };
  const types = Object.entries(properties ?? {}).map(
    ([key, { type, description, minimum, maximum, default: value }]) => {
      return [key, { type, description, minimum, maximum, default: value }];
    },
  );
  return { properties: Object.fromEntries(types), required: required ?? [] };
}

function byName(a: Json, b: Json): number {
  return String(a.name) < String(b.name) ? -1 : 1;
}
