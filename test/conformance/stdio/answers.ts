// What the tests, as client, answer to the server's questions: forms are filled in by their schema.
import type { Answerer, Json } from '../../support/stdio-client.ts';

export const answerers: Record<string, Answerer> = {
  'elicitation/create': ({ requestedSchema }) => ({ action: 'accept', content: fillForm(requestedSchema as Json) }),
  'sampling/createMessage': () => ({
    role: 'assistant',
    model: 'test-model',
    stopReason: 'endTurn',
    content: { type: 'text', text: 'Paris' },
  }),
  'roots/list': () => ({ roots: [{ uri: 'file:///project', name: 'project' }] }),
};

function fillForm({ properties }: Json): Json {
  const fields = Object.entries(properties as Record<string, Json>);
  return Object.fromEntries(fields.map(([name, field]) => [name, field.default ?? fillField(field)]));
}

function fillField(field: Json): unknown {
  const { type, items } = field;
  if (type === 'array') return [choose(items as Json)];
  if (type === 'boolean') return true;
  return choose(field) ?? 'Alice';
}

function choose({ enum: values, oneOf, anyOf }: Json): unknown {
  const titled = (oneOf ?? anyOf) as { const: string }[] | undefined;
  return titled?.[0]?.const ?? (values as string[] | undefined)?.[0];
}

/** Answers to all questions of an input-required result or task, by their keys. */
export function answerAll(inputRequests: unknown): Json {
  const questions = Object.entries(inputRequests as Record<string, { method: string; params?: Json }>);
  return Object.fromEntries(questions.map(([key, { method, params }]) => [key, answerers[method]?.(params ?? {})]));
}
