// Prompts, and the completion of their arguments and of resource templates.
import { completerOf, findPrompt, findTemplate, getPrompt } from '../../core/lookup.ts';
import { isObject } from '../../core/schema.ts';
import type { Prompt, ResourceTemplate } from '../../core/service.ts';
import { invalidParams } from '../code.ts';
import { projectMessage } from '../project.ts';
import type { Protocol } from '../protocol.ts';
import { defineList, type Method, members } from './method.ts';

const listPrompts = defineList('prompts');

const get: Method = {
  era: 'both',
  async run(exchange, protocol) {
    const { name, arguments: args } = exchange.params;
    if (typeof name !== 'string') throw invalidParams('params.name must be a string');
    protocol.bringAnswers(exchange);
    const prompt = findPrompt(protocol.registry, name);
    const messages = await getPrompt(protocol.registry, prompt, textsOf(args, 'params.arguments'), exchange);
    return members({
      ...(prompt.description === undefined ? {} : { description: prompt.description }),
      messages: messages.map((message) => projectMessage(message, exchange.revision)),
    });
  },
};

/** The most values a completion may have. */
const maxValues = 100;

const complete: Method = {
  era: 'both',
  async run(exchange, { registry }) {
    const { ref, argument, context } = exchange.params;
    if (!isObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string') {
      throw invalidParams('params.argument must be an object with a name and a value');
    }
    const { name, value } = argument;
    const filled = textsOf(isObject(context) ? context.arguments : undefined, 'params.context.arguments');
    const completer = completerOf(sourceOf(ref, registry), name);
    const values = completer
      ? await registry.run(`complete ${name}`, exchange, () => completer(value, filled, exchange))
      : [];
    return members({
      completion: { values: values.slice(0, maxValues), total: values.length, hasMore: values.length > maxValues },
    });
  },
};

function sourceOf(ref: unknown, registry: Protocol['registry']): Prompt | ResourceTemplate {
  if (isObject(ref) && ref.type === 'ref/prompt' && typeof ref.name === 'string') return findPrompt(registry, ref.name);
  if (isObject(ref) && ref.type === 'ref/resource' && typeof ref.uri === 'string')
    return findTemplate(registry, ref.uri);
  throw invalidParams('params.ref must be a ref/prompt with a name or a ref/resource with a uri');
}

function textsOf(value: unknown, path: string): Record<string, string> {
  if (value === undefined) return {};
  if (isObject(value) && Object.values(value).every((entry) => typeof entry === 'string')) {
    return value as Record<string, string>;
  }
  throw invalidParams(`${path} must be an object of strings`);
}

export const promptMethods = {
  'prompts/list': listPrompts,
  'prompts/get': get,
  'completion/complete': complete,
} satisfies Record<string, Method>;
