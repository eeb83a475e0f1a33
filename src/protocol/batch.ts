// Serves a batch of messages, a few at a time. The size limit applies to all responses together: once it is reached, the
// remaining requests are refused.
import type { Soon } from '../core/attempt.ts';
import { LoreError } from '../core/error.ts';
import { code, toRpcError } from './code.ts';
import type { Reply } from './link.ts';
import { classify, type Id, writeError } from './message.ts';

const atOnce = 8;

/** The responses in the order of the messages; empty if there are none. `values` is emptied in the process. */
export async function serveBatch(
  values: unknown[],
  serve: (value: unknown) => Soon<Reply | undefined>,
  maxLength: number,
): Promise<string[]> {
  const answers: (string | undefined)[] = new Array(values.length);
  let length = 0;
  let next = 0;
  let isFull = false;

  async function serveNext(): Promise<void> {
    while (next < values.length) {
      const index = next++;
      const value = values[index];
      values[index] = undefined;
      const id = idOf(value);
      let answer: string | undefined;
      if (!isFull || id === undefined) {
        const reply = serve(value);
        answer = (reply instanceof Promise ? await reply : reply)?.text;
      }
      if (id !== undefined && (isFull || (length > 0 && length + (answer?.length ?? 0) > maxLength))) {
        isFull = true;
        answer = refuse(id, maxLength);
      }
      answers[index] = answer;
      length += answer?.length ?? 0;
    }
  }

  await Promise.all(Array.from({ length: atOnce }, serveNext));
  return answers.filter((answer) => answer !== undefined);
}

function idOf(value: unknown): Id | undefined {
  const message = classify(value);
  return message.kind === 'request' ? message.id : undefined;
}

function refuse(id: Id, maxLength: number): string {
  const message = `Cannot answer the request: the results of its batch exceed ${maxLength} characters`;
  const error = new LoreError('limit_exceeded', message, { hint: 'Send fewer requests in one batch.' });
  const { code: errorCode, data } = toRpcError(error, false, code.tooLarge);
  return writeError(id, errorCode, message, data);
}
