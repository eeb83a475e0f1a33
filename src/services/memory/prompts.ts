// Prompts for common tasks, which people choose in their client.
import type { PromptMessage } from '../../core/content.ts';
import type { Prompt } from '../../core/service.ts';
import { makeBrief, renderBrief } from './brief.ts';
import type { MemoryContext } from './context.ts';
import { viewMemory } from './memory.ts';
import { fenceMemories } from './show/show.ts';

const recalledForPrompt = 20;

function userMessage(text: string): PromptMessage[] {
  return [{ role: 'user', content: { type: 'text', text } }];
}

export function createPrompts(context: MemoryContext): Prompt[] {
  return [
    {
      name: 'brief_me',
      title: 'Brief me on this project',
      description: 'Start a session with what is known.',
      permission: 'project',
      async get(_, call) {
        const brief = renderBrief(await makeBrief(await context.open(call), 10));
        return userMessage(`${brief}\n\nSummarise this in a few sentences, then ask me what to work on.`);
      },
    },
    {
      name: 'what_do_we_know',
      title: 'What do we know about …?',
      description: 'Everything known about a topic.',
      permission: 'recall',
      arguments: [{ name: 'topic', description: 'What to look for', required: true }],
      async get({ topic = '' }, call) {
        const { opened, projects, withUser } = await context.open(call);
        const { readRanked, searchMemories } = await import('./search-memories.ts');
        const { memories } = await searchMemories(opened.graph, { query: topic, projects: withUser });
        const shown = await readRanked(opened.graph, memories.slice(0, recalledForPrompt));
        const known = fenceMemories(shown.map(({ node }) => viewMemory(node, projects)));
        return userMessage(
          `${known || 'Nothing is known.'}\n\nFrom this: what do we know about ${topic}? Cite ids, and say what is missing.`,
        );
      },
    },
    {
      name: 'keep_this_session',
      title: 'Remember this session',
      description: 'Review the session and remember what later sessions need.',
      permission: 'remember',
      get: () =>
        userMessage(
          'Review this session. For every decision, rule, preference, fix or surprising fact that a later session needs, ' +
            'call remember once, in one whole sentence with its reason. Skip what the code or AGENTS.md already says. ' +
            'Then list what you stored.',
        ),
    },
  ];
}
