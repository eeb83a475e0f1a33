// The folders of a client, whatever it answers: always an answer, in time, and never an error.
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { localCaller } from '../core/call.ts';
import { Exchange } from './exchange.ts';
import type { Link } from './link.ts';
import { forgetRoots, readRoots } from './roots.ts';
import { Session } from './session.ts';

function connect(respond: (id: string) => object | undefined) {
  const session = new Session('one', () => true);
  let asked = 0;
  const link: Link = {
    caller: localCaller,
    session,
    send(text) {
      const { id } = JSON.parse(text) as { id: string };
      asked++;
      const answer = respond(id);
      if (answer) setImmediate(() => session.answer({ kind: 'response', id, ...answer } as never));
    },
  };
  const message = { kind: 'request', id: 1, method: 'tools/call', params: {}, meta: undefined } as never;
  const agreed = { revision: '2025-11-25', stateless: false, structured: false, capabilities: ['roots'] } as const;
  const read = () => readRoots(new Exchange(message, link, agreed as never), 1);
  return { session, read, asked: () => asked };
}

it('roots: reads paths from file URLs, and omits everything else', async () => {
  const uris = [
    'file:///a%20b/c%C3%A9',
    'https://example.org/x',
    'nonsense',
    7,
    '/plain/path',
    'file:///%00',
    'file://host/x',
  ];
  const roots = [...uris.map((uri) => ({ uri })), null, 'text', { name: 'no uri' }];
  const { read } = connect(() => ({ result: { roots } }));
  const found = await read();
  expect(found).toContain('/plain/path');
  expect(pathToFileURL(found[0] as string).href).toBe('file:///a%20b/c%C3%A9');
  expect(found.filter((path) => /example|nonsense/.test(path))).toEqual([]);
});

it.each<[string, () => object | undefined]>([
  ['never answers', () => undefined],
  ['answers with an error', () => ({ error: { code: -32601, message: 'Method not found' } })],
  ['answers with no list', () => ({ result: { roots: 'here' } })],
  ['answers with nothing', () => ({ result: null })],
])('roots: a client that %s has none, and is asked once', async (_, respond) => {
  const { read, asked, session } = connect(respond);
  expect(await read()).toEqual([]);
  expect(await read()).toEqual([]);
  expect(asked()).toBe(1);
  forgetRoots(session);
  expect(await read()).toEqual([]);
  expect(asked()).toBe(2);
});
