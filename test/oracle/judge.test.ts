// A judge that finds nothing proves nothing unless it can find something.
import { expect, it } from 'vitest';
import type { Revision } from '../../src/protocol/revision.ts';
import { createJudge } from './judge.ts';

const tool = { name: 'greet', inputSchema: { type: 'object' } };
const task = { taskId: 't', createdAt: '2026-07-28T00:00:00Z', lastUpdatedAt: '2026-07-28T00:00:00Z', ttlMs: null };

function judge(revision: Revision, method: string, result: object): string[] {
  const { problems, judgeAnswer } = createJudge(revision);
  judgeAnswer(JSON.stringify({ jsonrpc: '2.0', id: 1, result }), method);
  return problems;
}

it('accepts valid messages', () => {
  expect(judge('2024-11-05', 'tools/list', { tools: [tool] })).toEqual([]);
  expect(judge('2025-06-18', 'tools/list', { tools: [{ ...tool, title: 'Greet' }] })).toEqual([]);
  expect(judge('2026-07-28', 'tasks/get', { resultType: 'complete', ...task, status: 'working' })).toEqual([]);
});

it.each<[string, Revision, string, object]>([
  ['a missing member', '2024-11-05', 'tools/call', {}],
  ['a member of a later revision', '2024-11-05', 'tools/list', { tools: [{ ...tool, title: 'Greet' }] }],
  [
    'content of a later revision',
    '2024-11-05',
    'tools/call',
    { content: [{ type: 'audio', data: '', mimeType: 'a/b' }] },
  ],
  ['a missing resultType', '2026-07-28', 'tools/call', { content: [] }],
  ['a result type the method cannot have', '2026-07-28', 'tools/list', { resultType: 'input_required' }],
  ['a task without its result', '2026-07-28', 'tasks/get', { resultType: 'complete', ...task, status: 'completed' }],
  ['an acknowledgement with content', '2026-07-28', 'tasks/cancel', { resultType: 'complete', ...task }],
])('finds %s', (_, revision, method, result) => {
  expect(judge(revision, method, result)).not.toEqual([]);
});

it('finds notifications and requests that are not part of the revision', () => {
  const early = createJudge('2025-03-26');
  const params = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
  early.judgeMessage(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params }));
  expect(early.problems).toHaveLength(1);
  const late = createJudge('2026-07-28');
  late.judgeMessage(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'roots/list' }));
  late.judgeMessage(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/elicitation/complete', params: {} }));
  expect(late.problems).toHaveLength(2);
});

it('allows an error without id only if the id could not be read', () => {
  const { problems, judgeAnswer } = createJudge('2025-11-25');
  judgeAnswer('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}', undefined);
  expect(problems).toEqual([]);
  judgeAnswer('{"jsonrpc":"2.0","id":1.5,"error":{"code":-32600,"message":"Invalid request"}}', undefined);
  judgeAnswer('{"jsonrpc":"2.0","id":null,"error":{"code":"-32700","message":"Parse error"}}', undefined);
  expect(problems).toHaveLength(2);
});
