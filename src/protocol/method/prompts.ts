// Prompts, and the completion of their arguments and of resource templates.
import { type Completable, complete as completeArgument, getPrompt } from '../../core/registry/lookup.ts';
import { isObject } from '../../core/schema.ts';
import { invalidParams } from '../code.ts';
import { isLong, longestName } from '../message.ts';
import { projectMessage } from '../project.ts';
import { defineList, type Method, members } from './method.ts';

const listPrompts = defineList('prompts');

const get: Method = {
  era: 'both',
  async run(exchange, protocol) {
    const { name, arguments: args } = exchange.params;
    if (typeof name !== 'string') throw invalidParams('params.name must be a string');
    await protocol.bringAnswers(exchange);
    const prompt = await getPrompt(protocol.registry, name, textsOf(args, 'params.arguments'), exchange);
    const messages = prompt.messages.map((message) => projectMessage(message, exchange.revision));
    return members({ ...prompt, messages });
  },
};

/** The most values a completion may have. */
const maxValues = 100;
/** Length limit of all arguments of a prompt together. */
const longestArguments = 100_000;

const complete: Method = {
  era: 'both',
  async run(exchange, { registry }) {
    const { ref, argument, context } = exchange.params;
    if (!isObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string') {
      throw invalidParams('params.argument must be an object with a name and a value');
    }
    const { name, value } = argument;
    if (isLong(name) || isLong(value)) {
      throw invalidParams(`params.argument must have at most ${longestName} characters in its name and value`);
    }
    const filled = textsOf(isObject(context) ? context.arguments : undefined, 'params.context.arguments');
    const typed = { argument: name, value, context: filled };
    const values = await completeArgument(registry, sourceOf(ref), typed, exchange);
    return members({
      completion: { values: values.slice(0, maxValues), total: values.length, hasMore: values.length > maxValues },
    });
  },
};

function sourceOf(ref: unknown): Completable {
  if (isObject(ref) && (isLong(ref.name) || isLong(ref.uri))) {
    throw invalidParams(`params.ref must have at most ${longestName} characters in its name or uri`);
  }
  if (isObject(ref) && ref.type === 'ref/prompt' && typeof ref.name === 'string') return { prompt: ref.name };
  if (isObject(ref) && ref.type === 'ref/resource' && typeof ref.uri === 'string') return { uriTemplate: ref.uri };
  throw invalidParams('params.ref must be a ref/prompt with a name or a ref/resource with a uri');
}

function textsOf(value: unknown, path: string): Record<string, string> {
  if (value === undefined) return {};
  if (isObject(value) && Object.values(value).every((entry) => typeof entry === 'string')) {
    const texts = value as Record<string, string>;
    const length = Object.entries(texts).reduce((sum, [name, text]) => sum + name.length + text.length, 0);
    if (length <= longestArguments) return texts;
    throw invalidParams(`${path} must have at most ${longestArguments} characters`);
  }
  throw invalidParams(`${path} must be an object of strings`);
}

export const promptMethods = {
  'prompts/list': listPrompts,
  'prompts/get': get,
  'completion/complete': complete,
} satisfies Record<string, Method>;
