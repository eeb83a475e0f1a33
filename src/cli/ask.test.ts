// A tool's form, filled in at a terminal.
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { askForm, askModel } from '../core/call.ts';
import { createAsker } from './ask.ts';

const form = askForm('Keep these?\u001b[31m', {
  type: 'object',
  properties: { keep: { type: 'boolean', title: 'Keep them' }, count: { type: 'integer' } },
});

async function ask(typed: string) {
  let shown = '';
  const asker = createAsker(
    () => Readable.from([typed]),
    (text) => {
      shown += text;
    },
  );
  return { ...(await asker.ask({ form })), shown };
}

describe('a question at the terminal', () => {
  it('shows the form and reads the answers', async () => {
    expect(await ask('y\n3\n')).toEqual({
      form: { action: 'accept', content: { keep: true, count: 3 } },
      shown: 'Keep these?\nKeep them [y/n]: count: ',
    });
    expect((await ask('no\n3\n')).form).toEqual({ action: 'accept', content: { keep: false, count: 3 } });
  });

  it.each(['', '\n', '\n3\n'])('does not treat %j as consent', async (typed) => {
    expect((await ask(typed)).form).toEqual({ action: 'cancel' });
  });

  it('asks only questions for people', async () => {
    const asker = createAsker(
      () => Readable.from([]),
      () => {},
    );
    expect([asker.can('elicitation'), asker.can('sampling')]).toEqual([true, false]);
    await expect(asker.ask({ one: askModel('Hello?', 10) })).rejects.toThrow('not for a person');
  });
});
