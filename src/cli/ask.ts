// Asks a tool's questions at the terminal: the fields of its form, one line each. If standard input is a pipe, answers are
// read from the terminal device.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { AnswersTo, Call, ClientAnswer, Questions } from '../core/call.ts';
import { LoreError } from '../core/error.ts';
import { isObject } from '../core/schema.ts';
import { showHidden } from '../core/text/fence.ts';

type Asker = Pick<Call, 'can' | 'ask'>;

/** Undefined without a terminal. */
export function createTerminalAsker(): Asker | undefined {
  if (process.stderr.isTTY !== true) return undefined;
  if (process.stdin.isTTY !== true && process.platform === 'win32') return undefined;
  return createAsker(
    () => (process.stdin.isTTY ? process.stdin : createReadStream('/dev/tty')),
    (text) => void process.stderr.write(text),
  );
}

export function createAsker(open: () => NodeJS.ReadableStream, write: (text: string) => void): Asker {
  return {
    can: (kind) => kind === 'elicitation',
    async ask<Q extends Questions>(questions: Q) {
      const input = open();
      const lines = createInterface({ input, terminal: false })[Symbol.asyncIterator]();
      const answers: Record<string, ClientAnswer> = {};
      for (const [key, { method, params }] of Object.entries(questions)) {
        if (method !== 'elicitation/create' || !params) {
          throw new LoreError('unavailable', 'Cannot ask at a terminal: the question is not for a person');
        }
        write(`${showHidden(String(params.message ?? ''))}\n`);
        answers[key] = await fillIn(params.requestedSchema, lines, write);
      }
      if (input !== process.stdin && 'destroy' in input) (input as { destroy(): void }).destroy();
      else input.pause();
      return answers as AnswersTo<Q>;
    },
  };
}

async function fillIn(
  schema: unknown,
  lines: AsyncIterator<string>,
  write: (text: string) => void,
): Promise<ClientAnswer> {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  const content: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property)) continue;
    const isYesNo = property.type === 'boolean';
    const choices = isYesNo ? 'y/n' : Array.isArray(property.enum) ? property.enum.join(', ') : '';
    write(`${showHidden(String(property.title ?? name))}${choices === '' ? '' : ` [${choices}]`}: `);
    const { value, done } = await lines.next();
    // End of input, or an empty line without a default, is not consent.
    if (done || (isYesNo && value.trim() === '')) return { action: 'cancel' };
    const text = value.trim();
    content[name] = isYesNo
      ? /^y(?:es)?$/i.test(text)
      : /^(?:integer|number)$/.test(String(property.type))
        ? Number(text)
        : text;
  }
  return { action: 'accept', content };
}
