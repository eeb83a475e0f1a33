// The address that a person pastes during a login.
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { readPasted } from './login-page.ts';

it('a login waits for an address, even if somebody presses Enter', async () => {
  const input = new PassThrough();
  const { line, close } = readPasted(input);
  input.write('\n  \n');
  input.write('http://127.0.0.1/callback?code=1\n');
  expect(await line).toBe('http://127.0.0.1/callback?code=1');
  close();
});
