// repo_map: outlines a code base: folders, and the most referenced files with their definitions, within a token budget.

import * as s from '../../../core/schema.ts';
import { estimateTokens } from '../../../core/text/budget.ts';
import { fenceLines } from '../../../core/text/fence.ts';
import { asLine, inOneLine, quoteName, type Style } from '../../../core/text/terminal.ts';
import { defineTool } from '../../../core/tool.ts';
import type { RepoContext } from '../context.ts';
import type { Indexer } from '../index/indexer.ts';
import { repoArgument } from '../read/read-file.ts';
import { describeIndex, indexNote } from './index-note.ts';

const mappedFile = s.object({
  path: s.string(),
  lines: s.integer(),
  about: s.optional(s.string()),
  symbols: s.list(s.object({ name: s.string(), signature: s.string(), line: s.integer() })),
});

const answer = s.object({
  repository: s.string(),
  files: s.integer(),
  folders: s.list(s.object({ path: s.string(), files: s.integer() })),
  languages: s.record(s.integer()),
  map: s.list(mappedFile),
  left_out: s.integer({ description: 'Files' }),
  index: indexNote,
});

export type MapAnswer = s.Infer<typeof answer>;
export type MappedFile = s.Infer<typeof mappedFile>;

export function createMapTool(context: RepoContext, indexer: Indexer) {
  return defineTool({
    name: 'repo_map',
    title: 'Map a repository',
    description:
      'Outline an indexed code base: folders, and its most referenced files and definitions, as many as fit. Call it before exploring.',
    effect: 'read',
    page: 'opens',
    main: 'path',
    examples: [
      ['lore repo map', 'the whole project'],
      ['lore repo map src --budget-tokens 8000', 'more of one folder'],
    ],
    input: s.object({
      budget_tokens: s.withDefault(s.integer({ min: 200, max: 50_000 }), 2_000),
      path: s.optional(s.string({ max: 4_096, description: 'A folder' })),
      repo: repoArgument,
    }),
    output: answer,
    async run({ budget_tokens: budget, path, repo }, call) {
      const place = await context.open(call, repo);
      indexer.keep(place.scope);
      const { drawMap } = await import('./map.ts');
      return drawMap(place, path ?? '', budget);
    },
    render: (result) => [headOf(result), fenceLines(drawLines(result)), ...notes(result)].join('\n'),
    show: (result, style: Style) =>
      [style.bold(headOf(result)), ...drawLines(result), ...notes(result, '--budget-tokens').map(style.dim)].join('\n'),
  });
}

function headOf({ repository, files, languages }: MapAnswer): string {
  const spoken = Object.entries(languages).map(([name, count]) => `${name} ${count}`);
  return `${inOneLine(repository)}: ${files} files (${spoken.join(', ')})`;
}

function drawLines({ folders, map }: MapAnswer): string[] {
  return [...folders.map(({ path, files }) => `${quoteName(path)}/ ${files}`), '', ...map.flatMap(renderFile)];
}

function notes({ left_out: left, index }: MapAnswer, budget = 'budget_tokens'): string[] {
  const more = left > 0 ? [`${left} more files; raise ${budget} or pass a path.`] : [];
  return [...more, ...describeIndex(index)];
}

function renderFile({ path, lines, about, symbols }: MappedFile): string[] {
  return [
    `${quoteName(path)} (${lines})${about === undefined ? '' : ` ${asLine(about)}`}`,
    ...symbols.map(({ signature, line }) => `  ${line}: ${asLine(signature)}`),
  ];
}

/** Tokens that a file takes in the answer. */
export function weighFile(file: MappedFile): number {
  return estimateTokens(renderFile(file).join('\n')) + 1;
}
