// What is said to which program at which event, and what is handed over to be learned.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../test/support/folder.ts';
import { openBookmarks } from './bookmark.ts';
import { type CallTool, findContext, learn, saveCheckpoint } from './hook.ts';
import { type HookEvent, hookEvents, readHookInput } from './hook-event.ts';

const eventOf = (name: string) => hookEvents[name] as HookEvent;

function createTools(answers: Record<string, { text?: string; structured?: Record<string, unknown> }> = {}) {
  const calls: [name: string, args: Record<string, unknown>][] = [];
  const call: CallTool = async (name, args) => {
    calls.push([name, args]);
    return { text: '', structured: {}, ...answers[name] };
  };
  return { calls, call };
}

describe('hook input', () => {
  it.each([
    [
      'Claude Code',
      { session_id: 's', transcript_path: '/t.jsonl', cwd: '/p', hook_event_name: 'UserPromptSubmit', prompt: 'why?' },
      { session: 's', transcript: '/t.jsonl', folder: '/p', prompt: 'why?' },
    ],
    ['VS Code', { sessionId: 's', cwd: '/p', prompt: 'why?' }, { session: 's', folder: '/p', prompt: 'why?' }],
    [
      'Gemini CLI',
      { session_id: 's', cwd: '/p', prompt: 'why?', prompt_response: 'because' },
      { session: 's', folder: '/p', prompt: 'why?', answer: 'because' },
    ],
    [
      'Cursor',
      { conversation_id: 's', workspace_roots: ['/p', '/q'], prompt: 'why?', transcript_path: null },
      { session: 's', folder: '/p', prompt: 'why?' },
    ],
    [
      'Windsurf',
      { trajectory_id: 's', tool_info: { transcript_path: '/t.jsonl' } },
      { session: 's', transcript: '/t.jsonl' },
    ],
  ])('%s', (_, told, input) => {
    expect(readHookInput(JSON.stringify(told), {})).toEqual(input);
  });

  it('uses the project of the variable when the agent works in a subfolder', () => {
    expect(readHookInput('{"cwd":"/p/src"}', { CLAUDE_PROJECT_DIR: '/p' })).toEqual({ folder: '/p' });
  });
});

describe('the end of a conversation', () => {
  const line = (type: string, content: unknown) => `${JSON.stringify({ type, message: { role: type, content } })}\n`;

  it('is saved with the requests and the last answer', async () => {
    const transcript = join(createFolder('hand-over'), 't.jsonl');
    writeFileSync(
      transcript,
      line('user', 'Port the parser.') +
        line('assistant', [
          { type: 'text', text: 'Half of it is ported.' },
          { type: 'tool_use', name: 'Edit', input: { file_path: 'parser.ts' } },
        ]) +
        line('user', 'Go on with the lexer\nand its tests') +
        line('assistant', 'The lexer is done; its tests fail in lexer.test.ts.'),
    );
    const { calls, call } = createTools();
    expect(await saveCheckpoint({ transcript, session: 's' }, call)).toBe(true);
    expect(calls).toEqual([
      [
        'checkpoint_save',
        {
          name: 'Go on with the lexer',
          content:
            '## Asked\n\n- Port the parser.\n- Go on with the lexer\n  and its tests\n\n## Answered last\n\nThe lexer is done; its tests fail in lexer.test.ts.',
          metadata: { automatic: true },
          session: 's',
        },
      ],
    ]);
  });

  it('is empty without messages', async () => {
    const transcript = join(createFolder('hand-over'), 't.jsonl');
    writeFileSync(transcript, line('assistant', 'Hello.'));
    const { calls, call } = createTools();
    expect(await saveCheckpoint({ transcript }, call)).toBe(false);
    expect(await saveCheckpoint({}, call)).toBe(false);
    expect(calls).toEqual([]);
  });

  const talk = (...turns: string[]) => turns.map((turn) => line('user', turn) + line('assistant', 'Well.')).join('');
  const use = (name: string, input: object = {}) => line('assistant', [{ type: 'tool_use', name, input }]);
  const codex = (payload: object) => `${JSON.stringify({ type: 'response_item', payload })}\n`;
  const turns = ['Why does the parser fail?', 'Does the lexer see the comment?', 'And what about the tests for it?'];
  it.each([
    ['a greeting', talk('hi there'), false],
    ['a small question', talk('what is 2+2?'), false],
    ['small talk', talk('hi there', 'how are you?', 'thanks!', 'bye'), false],
    ['a question answered by reading', talk('Where is the parser tested?') + use('Read') + use('TodoWrite'), false],
    ['several substantial requests', talk(...turns), true],
    ['several requests in Japanese', talk('パーサーはなぜ失敗', 'テストを直して', '次の手順は何か'), true],
    ['one request that changed a file', talk('fix it') + use('Write', { file_path: 'a.ts' }), true],
    ['one that committed', talk('ship it') + use('Bash', { command: 'git commit -am wip' }), true],
    [
      'a patch by Codex',
      talk('fix it') + codex({ type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin' }),
      true,
    ],
    [
      'a command by Codex',
      talk('why?') + codex({ type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}' }),
      false,
    ],
    ['a long transcript', talk('go on') + use('Read', { text: 'x'.repeat(1_200_000) }) + talk('go on'), true],
  ])('%s: saved only if it was not trivial', async (_, text, isSaved) => {
    const transcript = join(createFolder('hand-over'), 't.jsonl');
    writeFileSync(transcript, text);
    expect(await saveCheckpoint({ transcript }, createTools().call)).toBe(isSaved);
  });

  it('is shown to the next session while it is recent', async () => {
    const tell = (created: string) =>
      findContext(
        eventOf('SessionStart'),
        {},
        createTools({
          project: { structured: { parts: [] } },
          checkpoint_list: { text: 'the lexer', structured: { checkpoints: [{ created }] } },
        }).call,
      );
    expect(await tell(new Date().toISOString())).toBe(
      'The latest checkpoint; checkpoint_resume returns it in full:\nthe lexer',
    );
    expect(await tell('2020-01-01T00:00:00Z')).toBeUndefined();
  });
});

describe('context', () => {
  it.each([
    ['UserPromptSubmit', { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'known' } }],
    ['BeforeAgent', { hookSpecificOutput: { hookEventName: 'BeforeAgent', additionalContext: 'known' } }],
    ['beforeSubmitPrompt', { continue: true, additional_context: 'known' }],
    ['sessionStart', { additional_context: 'known' }],
  ])('is sent at %s in the format of the program', (name, told) => {
    expect(eventOf(name).wrap?.('known', name)).toEqual(told);
  });

  it('of a prompt is the result of enhance', async () => {
    const { calls, call } = createTools({ enhance: { structured: { relevant: true, text: 'known' } } });
    expect(await findContext(eventOf('UserPromptSubmit'), { prompt: 'why?' }, call)).toBe('known');
    expect(calls).toEqual([['enhance', { prompt: 'why?', format: 'context', budget_tokens: 1_500 }]]);
  });

  it.each(['', '  \n', '/clear'])('is not searched for %j', async (prompt) => {
    const { calls, call } = createTools();
    expect(await findContext(eventOf('UserPromptSubmit'), { prompt }, call)).toBeUndefined();
    expect(calls).toEqual([]);
  });

  it.each([{}, { relevant: false, text: '' }, { relevant: true, text: 1 }])(
    'is empty when enhance returns %j',
    async (structured) => {
      const { call } = createTools({ enhance: { structured } });
      expect(await findContext(eventOf('UserPromptSubmit'), { prompt: 'why?' }, call)).toBeUndefined();
    },
  );

  it('of a session is the project brief, unless the session is resumed', async () => {
    const { call } = createTools({ project: { text: 'Rules: …' } });
    expect(await findContext(eventOf('SessionStart'), { source: 'compact' }, call)).toBe('Rules: …');
    expect(await findContext(eventOf('SessionStart'), { source: 'resume' }, call)).toBeUndefined();
  });

  it('of the first session is empty', async () => {
    const { call } = createTools({ project: { text: 'p: 0 memories', structured: { parts: [] } } });
    expect(await findContext(eventOf('SessionStart'), {}, call)).toBeUndefined();
  });

  it('of a session stays short', async () => {
    const { call } = createTools({ project: { text: 'a line\n'.repeat(5_000) } });
    const context = (await findContext(eventOf('SessionStart'), {}, call)) as string;
    expect(context.length).toBeLessThan(8_100);
    expect(context.endsWith('a line\n…')).toBe(true);
  });

  it('of a session closes the fence around truncated memories', async () => {
    const text = `p: 9 memories\n<lore-data-abc123>\n${'| a line\n'.repeat(5_000)}</lore-data-abc123>`;
    const { call } = createTools({ project: { text } });
    const context = (await findContext(eventOf('SessionStart'), {}, call)) as string;
    expect(context.length).toBeLessThan(8_100);
    expect(context.endsWith('| a line\n…\n</lore-data-abc123>')).toBe(true);
  });
});

describe('learning', () => {
  const line = (role: string, content: unknown, rest: object = {}) =>
    `${JSON.stringify({ type: role, message: { role, content }, ...rest })}\n`;

  function createTranscript(text: string) {
    const folder = createFolder('transcript');
    const transcript = join(folder, 't.jsonl');
    writeFileSync(transcript, text);
    return { transcript, bookmarks: openBookmarks(join(folder, 'marks')), session: 's' };
  }

  it('reads each part of a transcript once', async () => {
    const { transcript, bookmarks } = createTranscript(line('user', 'We use tabs.') + line('assistant', 'Noted.'));
    const { calls, call } = createTools();
    await learn({ transcript, session: 's' }, bookmarks, call);
    await learn({ transcript, session: 's' }, bookmarks, call);
    appendFileSync(transcript, `${line('user', 'And LF.')}{"type":"user","mess`);
    await learn({ transcript, session: 's' }, bookmarks, call);
    appendFileSync(transcript, 'age":{"role":"user","content":"Cut."}}\n');
    await learn({ transcript, session: 's' }, bookmarks, call);
    const said = (role: string, content: string) => `${JSON.stringify({ role, content })}\n`;
    expect(calls).toEqual([
      ['learn', { content: said('user', 'We use tabs.') + said('assistant', 'Noted.'), source: 'conversation s' }],
      ['learn', { content: said('user', 'And LF.'), source: 'conversation s' }],
      ['learn', { content: said('user', 'Cut.'), source: 'conversation s' }],
    ]);
  });

  it('and all other hooks omit private text', async () => {
    const text =
      line('user', 'We use tabs. <private>Ann is leaving.</private>') +
      line('assistant', [{ type: 'tool_use', name: 'Edit', input: {} }]) +
      line('assistant', '<private>never closed');
    const { transcript, bookmarks } = createTranscript(text);
    const { calls, call } = createTools();
    await learn({ transcript, session: 's' }, bookmarks, call);
    await learn({ prompt: 'a <private>b</private>', answer: 'c' }, bookmarks, call);
    await saveCheckpoint({ transcript }, call);
    await findContext(eventOf('UserPromptSubmit'), { prompt: 'why <private>Ann?</private>' }, call);
    expect(calls).toHaveLength(4);
    expect(JSON.stringify(calls)).toContain('We use tabs. [private]');
    expect(JSON.stringify(calls)).not.toMatch(/Ann|never closed|>b</);
  });

  it('reads a part again if it could not be passed on', async () => {
    const { transcript, bookmarks } = createTranscript(line('user', 'We use tabs.'));
    const failing: CallTool = async () => {
      throw new Error('the database is away');
    };
    await expect(learn({ transcript }, bookmarks, failing)).rejects.toThrow('away');
    const { calls, call } = createTools();
    await learn({ transcript }, bookmarks, call);
    expect(calls).toHaveLength(1);
  });

  it('starts over with a rewritten transcript', async () => {
    const { transcript, bookmarks } = createTranscript(line('user', 'A long sentence about tabs.'));
    const { calls, call } = createTools();
    await learn({ transcript }, bookmarks, call);
    writeFileSync(transcript, line('user', 'LF.'));
    await learn({ transcript }, bookmarks, call);
    expect(calls.map(([, { content }]) => content)).toEqual([
      expect.stringContaining('tabs'),
      expect.stringContaining('LF.'),
    ]);
  });

  it('passes a long conversation on in pieces', async () => {
    const many = Array.from({ length: 50 }, (_, n) => line('user', `${n} ${'x'.repeat(20_000)}`)).join('');
    const { transcript, bookmarks } = createTranscript(many);
    const { calls, call } = createTools();
    await learn({ transcript }, bookmarks, call);
    for (const [, { content }] of calls) expect((content as string).length).toBeLessThanOrEqual(200_100);
    const numbers = calls.flatMap(([, { content }]) => [...(content as string).matchAll(/"content":"(\d+) /g)]);
    expect(numbers.map(([, n]) => Number(n))).toEqual(Array.from({ length: 50 }, (_, n) => n));
  });

  it('uses the prompt and the answer if the program passes them', async () => {
    const { bookmarks } = createTranscript('');
    const { calls, call } = createTools();
    await learn({ prompt: 'Use tabs.', answer: 'Yes.' }, bookmarks, call);
    expect(calls).toEqual([
      [
        'learn',
        {
          content: '{"role":"user","content":"Use tabs."}\n{"role":"assistant","content":"Yes."}\n',
          source: 'conversation',
        },
      ],
    ]);
  });
});
