// search_code: exact text, patterns, definitions and questions, over the files as they are now.
import * as s from '../../../core/schema.ts';
import { defineTool } from '../../../core/tool.ts';
import type { RepoContext } from '../context.ts';
import type { Indexer } from '../index/indexer.ts';
import { modes } from './mode.ts';
import { renderFound, showFound } from './show.ts';

const place = s.object({
  start: s.integer(),
  end: s.integer(),
  text: s.string(),
  lines: s.optional(s.list(s.integer(), { description: 'Matching lines, not context' })),
  symbol: s.optional(s.string()),
});

const answer = s.object({
  mode: s.oneOf(['literal', 'regex', 'symbol', 'semantic']),
  files: s.list(s.object({ path: s.string(), score: s.optional(s.number()), places: s.list(place) })),
  total: s.integer({ description: 'Matches; files if semantic' }),
  partial: s.optional(s.oneOf(['limit', 'timeout'])),
  index: s.oneOf(['none', 'indexing', 'partial', 'complete']),
  next_cursor: s.optional(s.string()),
});

export type SearchAnswer = s.Infer<typeof answer>;

const input = s.object({
  query: s.string({ min: 1, max: 20_000 }),
  path: s.optional(s.string({ max: 4_096, description: 'Folder or file to look in' })),
  language: s.optional(s.string({ min: 1, max: 20 })),
  mode: s.withDefault(s.oneOf(modes), 'auto'),
  case_sensitive: s.optional(s.boolean({ description: 'Default: if the query has capitals' })),
  context: s.withDefault(s.integer({ min: 0, max: 20, description: 'Lines before and after' }), 0),
  limit: s.optional(s.integer({ min: 1, max: 500 })),
  cursor: s.optional(s.string({ max: 200 })),
  repo: s.optional(s.string({ min: 1, max: 4_096, description: 'Folder or git URL' })),
});

export type SearchArguments = s.Infer<typeof input>;

export function createSearchTool(context: RepoContext, indexer: Pick<Indexer, 'keep'>) {
  return defineTool({
    name: 'search_code',
    title: 'Search code',
    description:
      'Find code by exact text, regex, symbol name, or a question or issue text in plain words (best files with line ranges). mode auto chooses by the form of the query.',
    effect: 'read',
    page: 'serves',
    searchHint: 'grep, ripgrep, find text or symbols in the code base',
    examples: [
      ['lore search code "where are retries decided?"', 'a question in plain words'],
      ['lore search code TODO --path src --context 2', 'exact text'],
      ["lore search code 'retry(Count|Limit)' --mode regex --no-case-sensitive", 'a regular expression'],
    ],
    input,
    output: answer,
    async run(args, call) {
      const { searchCode } = await import('./search.ts');
      return searchCode({ context, indexer }, args, call);
    },
    render: renderFound,
    show: showFound,
  });
}
