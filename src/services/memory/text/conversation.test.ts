// Who said what, in the shapes transcripts come in; and what is no conversation stays one passage.
import { describe, expect, it } from 'vitest';
import { readConversation } from './conversation.ts';

function turnsOf(text: string): [string, string][] {
  return readConversation(text).turns.map(({ role, text: said }) => [role, said.trim()]);
}

const both: [string, string][] = [
  ['user', 'The port is 8443.'],
  ['assistant', 'Noted.'],
];

describe('readConversation', () => {
  it.each<[string, string]>([
    ['labels', 'User: The port is 8443.\nAssistant: Noted.'],
    ['Human and AI', 'Human: The port is 8443.\n\nAI: Noted.'],
    ['bold labels', '**User:** The port is 8443.\n\n**Assistant:** Noted.'],
    ['bold lines', '**User**\n\nThe port is 8443.\n\n**Assistant**\n\nNoted.'],
    ['headings', '## User\nThe port is 8443.\n## Claude\nNoted.'],
    [
      'dated lines',
      '_**User (2026-01-02 10:00:00Z)**_\n\nThe port is 8443.\n\n_**Agent (model 2026-01-02 10:00:01Z)**_\n\nNoted.',
    ],
    ['a terminal', '> The port is 8443.\n\n⏺ Noted.'],
    [
      'JSON',
      JSON.stringify([
        { role: 'user', content: 'The port is 8443.' },
        { role: 'assistant', content: 'Noted.' },
      ]),
    ],
    [
      'an object of messages with blocks',
      JSON.stringify({
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: [{ type: 'text', text: 'The port is 8443.' }] },
          {
            role: 'assistant',
            content: [
              { type: 'tool_use', name: 'x', input: {} },
              { type: 'text', text: 'Noted.' },
            ],
          },
        ],
      }),
    ],
    [
      'a transcript in JSONL, cut off at the end',
      [
        '{"type":"summary","summary":"Ports"}',
        '{"type":"user","message":{"role":"user","content":"<system-reminder>x</system-reminder>The port is 8443."}}',
        '{"type":"user","isMeta":true,"message":{"role":"user","content":"meta"}}',
        '{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"ok"}]}}',
        '{"type":"assistant","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Noted."}]}}',
        '{"type":"assistant","message":{"role":"assi',
      ].join('\n'),
    ],
    [
      'a ChatGPT export',
      JSON.stringify([
        {
          title: 'Ports',
          mapping: {
            b: {
              message: {
                author: { role: 'assistant' },
                content: { content_type: 'text', parts: ['Noted.'] },
                create_time: 2,
              },
            },
            a: {
              message: {
                author: { role: 'user' },
                content: { content_type: 'text', parts: ['The port is 8443.'] },
                create_time: 1,
              },
            },
            r: { message: null },
          },
        },
      ]),
    ],
    ['ShareGPT', '{"conversations":[{"from":"human","value":"The port is 8443."},{"from":"gpt","value":"Noted."}]}'],
    ['aider', '# aider chat started at 2025-05-10\n\n> Aider v1\n\n#### The port is 8443.\n\nNoted.\n'],
  ])('reads %s', (_name, text) => {
    expect(turnsOf(text)).toEqual(both);
  });

  it('detects speakers by their turns and times', () => {
    const { turns } = readConversation('[12:03] Ana: The port is 8443.\n[12:04] Ben: Noted.\n[12:05] Ana: Good.');
    expect(turns.map(({ role, speaker, at }) => [role, speaker, at])).toEqual([
      ['other', 'Ana', '12:03'],
      ['other', 'Ben', '12:04'],
      ['other', 'Ana', '12:05'],
    ]);
  });

  it.each([
    ['keys', 'Port: 3000\nDatabase: SQLite\nOwner: Ana'],
    ['notes', 'Note: a thing.\nWarning: another.\nNote: a third.'],
    ['code that looks like labels', '```yaml\nuser: postgres\nassistant: none\n```'],
    ['JSON without turns', '{"a":1}'],
    ['prose', 'The port is 8443. It is the gateway.'],
  ])('treats %s as a passage', (_name, text) => {
    expect(readConversation(text)).toMatchObject({ form: 'passage', turns: [{ role: 'other', speaker: '', text }] });
  });

  it('keeps text before the first label', () => {
    expect(turnsOf('Notes of today.\nUser: hi\nAssistant: hello')[0]).toEqual(['other', 'Notes of today.']);
  });
});
