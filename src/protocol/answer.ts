// Checks whether a client's answer has the shape that its question requires. The tool that asked judges the content.
import type { ClientQuestion } from '../core/call.ts';
import { isObject } from '../core/schema.ts';

const actions = ['accept', 'decline', 'cancel'];

const shapes: Record<ClientQuestion['method'], (answer: { [key: string]: unknown }) => boolean> = {
  'elicitation/create': ({ action, content }) =>
    actions.includes(action as string) && (content === undefined || isObject(content)),
  'sampling/createMessage': ({ role, content, model }) =>
    typeof role === 'string' && typeof model === 'string' && typeof content === 'object' && content !== null,
  'roots/list': ({ roots }) => Array.isArray(roots),
};

export function isAnswerTo(question: ClientQuestion, answer: unknown): boolean {
  return isObject(answer) && shapes[question.method](answer);
}

/** Matches at least one of the three, before the question is known. */
export function isAnswer(answer: unknown): answer is { [key: string]: unknown } {
  return isObject(answer) && Object.values(shapes).some((fits) => fits(answer));
}
