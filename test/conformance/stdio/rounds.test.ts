// Input-required results: which questions come with which state, and what a client cannot do with either.
import { describe, expect, it } from 'vitest';
import type { Json } from '../../support/stdio-client.ts';
import { share, wrap } from './conversation.ts';

const client = share();

const prefix = 'test_input_required_result_';

const accept = (content: Json): Json => ({ action: 'accept', content });

function call(name: string, rest: Json = {}, capabilities?: Json) {
  const options = capabilities ? { capabilities } : {};
  return client().request('tools/call', wrap({ name: `${prefix}${name}`, arguments: {}, ...rest }, options));
}

describe('the first round', () => {
  it.each([
    ['elicitation', { user_name: 'elicitation/create' }],
    ['sampling', { capital_question: 'sampling/createMessage' }],
    ['list_roots', { client_roots: 'roots/list' }],
    ['request_state', { confirm: 'elicitation/create' }],
    ['multi_round', { step1: 'elicitation/create' }],
    [
      'multiple_inputs',
      { user_name: 'elicitation/create', greeting: 'sampling/createMessage', client_roots: 'roots/list' },
    ],
  ])('of %s asks', async (name, methods) => {
    const { result } = await call(name);
    expect(result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
    const asked = Object.entries(result?.inputRequests as Record<string, { method: string }>);
    expect(Object.fromEntries(asked.map(([key, { method }]) => [key, method]))).toEqual(methods);
  });

  it('asks for input for a prompt as for a tool', async () => {
    const name = `${prefix}prompt`;
    const first = await client().request('prompts/get', wrap({ name }));
    expect(first.result).toMatchObject({ inputRequests: { user_context: { method: 'elicitation/create' } } });
    const inputResponses = { user_context: accept({ context: 'tests' }) };
    const { requestState } = first.result as Json;
    const second = await client().request('prompts/get', wrap({ name, inputResponses, requestState }));
    const text = 'Prompt with context: tests';
    expect(second.result).toMatchObject({ messages: [{ role: 'user', content: { type: 'text', text } }] });
  });

  it('asks only questions that the client supports, and fails without alternatives', async () => {
    const { result } = await call('capabilities', {}, { sampling: {} });
    expect(Object.keys(result?.inputRequests as Json)).toEqual(['sample_input']);
    const { error } = await call('elicitation', {}, { sampling: {} });
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: {} } } });
  });
});

describe('the next round', () => {
  const user_name = accept({ name: 'Alice' });
  const done = { resultType: 'complete', content: [{ type: 'text', text: 'Hello, Alice!' }] };

  it('completes with the answer, with or without the state, and ignores other fields', async () => {
    const { requestState } = (await call('elicitation')).result as Json;
    const extra = accept({ foo: 'bar' });
    const given = { inputResponses: { user_name, extra } };
    expect((await call('elicitation', { ...given, requestState })).result).toMatchObject(done);
    expect((await call('elicitation', given)).result).toMatchObject(done);
  });

  it('asks again for missing answers', async () => {
    const first = await call('elicitation', { inputResponses: { wrong_key: accept({}) } });
    expect(first.result).toMatchObject({ resultType: 'input_required', inputRequests: { user_name: {} } });
    const some = await call('multiple_inputs', { inputResponses: { user_name } });
    expect(Object.keys(some.result?.inputRequests as Json)).toEqual(['greeting', 'client_roots']);
  });

  it('stores earlier answers in the state', async () => {
    const first = (await call('multi_round')).result as Json;
    const { requestState } = first;
    const inputResponses = { step1: accept({ name: 'Alice' }) };
    const second = (await call('multi_round', { requestState, inputResponses })).result as Json;
    expect(second).toMatchObject({ resultType: 'input_required', inputRequests: { step2: {} } });
    expect(second.requestState).not.toBe(requestState);
    const last = await call('multi_round', {
      requestState: second.requestState,
      inputResponses: { step2: accept({ color: 'blue' }) },
    });
    expect(last.result?.content).toEqual([{ type: 'text', text: 'Alice likes blue' }]);
  });

  it('passes a refusal to the tool', async () => {
    const inputResponses = { confirm: { action: 'decline' } };
    const { result } = await call('request_state', { inputResponses });
    expect(result).toMatchObject({ resultType: 'complete', content: [{ type: 'text', text: 'not confirmed' }] });
  });

  it.each<[string, unknown]>([
    ['a number', 12_345],
    ['an unknown action', { action: 'perhaps' }],
    ['nothing', null],
    ['the answer to another kind of question', { roots: [] }],
  ])('does not accept %s as an answer', async (_, answer) => {
    const { result, error } = await call('elicitation', { inputResponses: { user_name: answer } });
    expect(error?.code ?? result?.resultType).toBeOneOf([-32602, 'input_required']);
  });

  it('does not accept a list of answers', async () => {
    const { error } = await call('elicitation', { inputResponses: [user_name] });
    expect(error).toMatchObject({ code: -32602 });
  });
});

describe('requestState', () => {
  const inputResponses = { confirm: accept({ ok: true }) };

  it.each<[string, (state: string) => unknown]>([
    ['lengthened', (state) => `${state}-TAMPERED`],
    ['forged', (state) => `${Buffer.from('{"answers":{}}').toString('base64url')}.${state.split('.')[1]}`],
    ['cut', (state) => state.slice(0, -1)],
    ['emptied', () => ''],
    ['no text at all', () => ({ answers: {} })],
  ])('is refused when %s', async (_, tamper) => {
    const { result } = await call('tampered_state');
    const requestState = tamper(result?.requestState as string);
    const { error } = await call('tampered_state', { inputResponses, requestState });
    expect(error).toMatchObject({ code: -32602 });
  });

  it('is valid only for its own request', async () => {
    const { requestState } = (await call('tampered_state')).result as Json;
    const other = await call('request_state', { inputResponses, requestState });
    expect(other.error).toMatchObject({ code: -32602 });
    const asked = wrap({ name: 'test_elicitation', arguments: { message: 'one' } });
    const state = (await client().request('tools/call', asked)).result?.requestState;
    const changed = wrap({ name: 'test_elicitation', arguments: { message: 'two' }, requestState: state });
    expect((await client().request('tools/call', changed)).error).toMatchObject({ code: -32602 });
  });
});
