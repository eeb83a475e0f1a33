// What was said, in the transcripts of each program.
import { describe, expect, it } from 'vitest';
import { readTranscript } from './transcript.ts';

const cases: Record<string, [lines: object[], said: object[]]> = {
  'Claude Code': [
    [
      { type: 'summary', summary: 'About tabs' },
      { type: 'user', message: { role: 'user', content: 'We use tabs.' }, timestamp: '2026-01-01T00:00:00Z' },
      { type: 'api-request-blob', message: { role: 'user', content: [{ type: 'text', text: 'We use tabs.' }] } },
      { type: 'user', isMeta: true, message: { role: 'user', content: 'Caveat' } },
      { type: 'attachment', attachment: { type: 'hook_additional_context', content: ['from memory'] } },
      {
        type: 'assistant',
        message: {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm' },
            { type: 'text', text: 'Noted.' },
            { type: 'tool_use', name: 'Bash' },
          ],
        },
      },
      { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', content: 'output' }] } },
      { type: 'user', isCompactSummary: true, message: { role: 'user', content: 'Summary of all' } },
      { type: 'user', isSidechain: true, message: { role: 'user', content: 'to a subagent' } },
      {
        type: 'user',
        message: { role: 'user', content: '<command-name>/model</command-name>\n<command-args></command-args>' },
      },
      { type: 'user', message: { role: 'user', content: 'Go on.<system-reminder>\nfrom memory\n</system-reminder>' } },
    ],
    [
      { role: 'user', content: 'We use tabs.', timestamp: '2026-01-01T00:00:00Z' },
      { role: 'assistant', content: 'Noted.' },
      { role: 'user', content: 'Go on.' },
    ],
  ],
  Codex: [
    [
      { timestamp: 't1', type: 'session_meta', payload: { id: 'x' } },
      {
        timestamp: 't2',
        type: 'response_item',
        payload: {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: '<environment_context>\n<cwd>/p</cwd>\n</environment_context>' }],
        },
      },
      {
        timestamp: 't3',
        type: 'response_item',
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'We use tabs.' }] },
      },
      { timestamp: 't3', type: 'event_msg', payload: { type: 'user_message', message: 'We use tabs.' } },
      { timestamp: 't4', type: 'response_item', payload: { type: 'reasoning', summary: [] } },
      {
        timestamp: 't5',
        type: 'response_item',
        payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Noted.' }] },
      },
      {
        timestamp: 't6',
        type: 'response_item',
        payload: { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'rules' }] },
      },
    ],
    [
      { role: 'user', content: 'We use tabs.', timestamp: 't3' },
      { role: 'assistant', content: 'Noted.', timestamp: 't5' },
    ],
  ],
  Cursor: [
    [
      { role: 'user', message: { content: [{ type: 'text', text: '<user_query>\nWe use tabs.\n</user_query>' }] } },
      { role: 'assistant', message: { content: [{ type: 'text', text: 'Noted.' }] } },
    ],
    [
      { role: 'user', content: 'We use tabs.' },
      { role: 'assistant', content: 'Noted.' },
    ],
  ],
  Windsurf: [
    [
      { status: 'done', type: 'user_input', user_input: { user_response: 'We use tabs.' } },
      { status: 'done', type: 'planner_response', planner_response: { response: 'Noted.' } },
      { status: 'done', type: 'code_action', code_action: { path: '/p' } },
    ],
    [
      { role: 'user', content: 'We use tabs.' },
      { role: 'assistant', content: 'Noted.' },
    ],
  ],
};

describe('a transcript', () => {
  it.each(Object.entries(cases))('of %s', (_, [lines, said]) => {
    expect(readTranscript(lines.map((line) => JSON.stringify(line)).join('\n'))).toEqual(said);
  });

  it('is empty without JSON', () => {
    expect(readTranscript('hello\n{"type":"user","mess\n[1]\n{"a":1}\nnull\n')).toEqual([]);
  });
});
