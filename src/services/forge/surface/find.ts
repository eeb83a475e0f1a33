// tool_find: finds tools of the added APIs by what they do, and describes their arguments.
import * as s from '../../../core/schema.ts';
import { fenceAsData } from '../../../core/text/fence.ts';
import { hangText, inOneLine } from '../../../core/text/terminal.ts';
import { defineTool } from '../../../core/tool.ts';
import { type ToolSourceState, toolSourceStates } from '../../../core/tool-provider.ts';
import type { Surface } from './providers.ts';

const effects = ['read', 'write', 'destroy'] as const;

const found = s.object({
  /** Nothing matches the queries. */
  unmatched: s.optional(s.boolean()),
  tools: s.list(
    s.object({
      name: s.string(),
      effect: s.oneOf(effects),
      summary: s.string(),
      signature: s.string(),
      note: s.optional(s.string()),
      /** The JSON Schema of its arguments. */
      arguments: s.optional(s.json()),
    }),
  ),
  sources: s.list(
    s.object({
      name: s.string(),
      title: s.string(),
      operations: s.integer(),
      state: s.oneOf(toolSourceStates),
      note: s.optional(s.string()),
    }),
  ),
});

/** A model must know what it cannot rely on. */
export const stateLabels: Record<ToolSourceState, string | undefined> = {
  ready: undefined,
  unproved: 'unproved: no call has succeeded yet',
  broken: 'broken: cannot be called now',
};

export type FoundTools = s.Infer<typeof found>;

export function createFindTool(surface: Surface) {
  return defineTool({
    name: 'tool_find',
    title: 'Find API tools',
    description:
      'Find tools that are not listed, such as those of the APIs that the user added, by what they do. Run them with tool_read or tool_write. Without arguments, lists their sources.',
    effect: 'read',
    page: 'serves',
    preloaded: true,
    core: true,
    main: 'queries',
    examples: [
      ['lore tool find "list open invoices"', 'by what it does'],
      ['lore tool find --names petstore_get_pet_by_id', 'the arguments of one tool'],
    ],
    input: s.object({
      queries: s.optional(
        s.list(s.string({ min: 1, max: 500 }), {
          max: 10,
          lone: true,
          description: 'One short phrase for each step of the task',
        }),
      ),
      names: s.optional(
        s.list(s.string({ max: 64 }), { max: 10, lone: true, description: 'Tools whose arguments to describe' }),
      ),
      source: s.optional(s.string({ max: 64, description: 'Only this API' })),
      limit: s.withDefault(s.integer({ min: 1, max: 50 }), 8),
    }),
    output: found,
    async run(wanted, { caller }): Promise<FoundTools> {
      const { searchTools } = await import('./search.ts');
      return searchTools(surface, wanted, caller);
    },
    render({ tools, sources, unmatched }) {
      if (sources.length === 0)
        return 'No API has been added. A person can add one: lore forge add <name> <OpenAPI file or URL>';
      const entries = tools.map(({ name, effect, summary, signature, note, arguments: schema }) => ({
        id: name,
        label: join(effect, note),
        text: [`${signature} ${summary}`, ...(schema === undefined ? [] : [JSON.stringify(schema)])].join('\n'),
      }));
      const listed = sources.map(({ name, title, operations, state, note }) => ({
        id: name,
        label: join(`${operations} tools`, stateLabels[state], note),
        text: title,
      }));
      const none = unmatched ? 'No tool matches.\n' : '';
      return `${none}${fenceAsData([...entries, ...listed], 'from the documents of APIs')}`;
    },
    show({ tools, sources, unmatched }, { bold, dim, width }) {
      if (sources.length === 0) return 'No API has been added. Add one: lore forge add <name> <OpenAPI file or URL>';
      const found = tools.flatMap(({ name, effect, summary, signature, note }) => [
        `${bold(name)} ${dim(join(effect, note))}`,
        ...hangText('  ', `${inOneLine(summary)} ${signature}`, width),
      ]);
      const listed = sources.map(({ name, title, operations, state, note }) =>
        join(name, inOneLine(title), `${operations} tools`, state, note),
      );
      return [...found, ...(unmatched ? ['No tool matches.'] : []), ...listed.map(dim)].join('\n');
    },
  });
}

function join(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(' · ');
}
