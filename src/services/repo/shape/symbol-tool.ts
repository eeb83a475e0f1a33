// repo_symbol: describes one definition: location, callers, callees, tests, history, and memories about it.
import { LoreError } from '../../../core/error.ts';
import * as s from '../../../core/schema.ts';
import { fenceAsData, fenceLines } from '../../../core/text/fence.ts';
import { asLine, describeRange, hangText, inOneLine, quoteName, type Style } from '../../../core/text/terminal.ts';
import { defineTool } from '../../../core/tool.ts';
import type { OpenTree, RepoContext } from '../context.ts';
import type { Indexer } from '../index/indexer.ts';
import { repoArgument } from '../read/read-file.ts';
import { describeIndex, indexNote } from './index-note.ts';

const place = s.object({ name: s.string(), path: s.string(), line: s.integer() });

const answer = s.object({
  name: s.string(),
  kind: s.string(),
  path: s.string(),
  start: s.integer(),
  end: s.integer(),
  signature: s.string(),
  /** As path:line. */
  others: s.list(s.string()),
  callers: s.list(place),
  callees: s.list(place),
  tests: s.list(s.string()),
  documents: s.list(s.string()),
  changed_with: s.list(s.string()),
  history: s.list(s.string()),
  memories: s.list(s.object({ id: s.string(), text: s.string() })),
  index: indexNote,
});

export type SymbolAnswer = s.Infer<typeof answer>;

export function createSymbolTool(context: RepoContext, indexer: Indexer) {
  return defineTool({
    name: 'repo_symbol',
    title: 'Look up a symbol',
    description:
      'Look up a definition in an indexed repository: where it is, callers, callees, tests, history, memories about it.',
    effect: 'read',
    page: 'serves',
    searchHint: 'go to definition, find references, callers of a function',
    examples: [
      ['lore repo symbol parseArguments', 'a function, class or other definition'],
      ['lore repo symbol Parser.parse', 'a member'],
    ],
    input: s.object({
      name: s.string({ min: 1, max: 300, description: 'Like put, Graph.put or path#name' }),
      repo: repoArgument,
    }),
    output: answer,
    async run({ name, repo }, call) {
      const found = await context.open(call, repo);
      indexer.keep(found.scope);
      return requireSymbol(found, name);
    },
    render: renderSymbol,
    show: showSymbol,
  });
}

export async function requireSymbol(place: OpenTree, name: string): Promise<SymbolAnswer> {
  const { describeSymbol } = await import('./symbol.ts');
  const described = await describeSymbol(place, name);
  if (described) return described;
  throw new LoreError('not_found', `Cannot find symbol "${name}": "${place.name}" has no such definition`, {
    hint: 'search_code finds parts of names and text.',
    details: { path: 'arguments.name', expected: 'the name of a definition', received: name },
  });
}

export function renderSymbol(result: SymbolAnswer): string {
  const parts = [fenceLines(linesOf(result)), ...describeIndex(result.index), fenceAsData(result.memories)];
  return parts.filter((part) => part !== '').join('\n');
}

function showSymbol(result: SymbolAnswer, { bold, dim, width }: Style): string {
  const [first = '', ...rest] = linesOf(result);
  const memories = result.memories.flatMap(({ text }) => hangText('- ', text, width));
  return [
    bold(first),
    ...rest,
    ...(memories.length === 0 ? [] : ['Memories:', ...memories]),
    ...describeIndex(result.index).map(dim),
  ].join('\n');
}

function linesOf(result: SymbolAnswer): string[] {
  const { name, kind, path, start, end, signature, others, callers, callees, tests, documents, history } = result;
  const context = (title: string, list: SymbolAnswer['callers']) =>
    list.length === 0
      ? []
      : [
          `${title}:`,
          ...list.map(({ name, path, line }) =>
            name === path ? `- ${quoteName(path)}` : `- ${inOneLine(name)} ${quoteName(path)}:${line}`,
          ),
        ];
  const names = (title: string, list: readonly string[]) =>
    list.length === 0 ? [] : [`${title}: ${list.map(quoteName).join(', ')}`];
  return [
    `${kind} ${inOneLine(name)} ${quoteName(path)}:${describeRange(start, end)}`,
    ...signature.split('\n').map(asLine),
    ...context('Callers', callers),
    ...context('Callees', callees),
    ...names('Tests', tests),
    ...names('Documents', documents),
    ...names('Often changed with', result.changed_with),
    ...(history.length === 0 ? [] : ['History of the file:']),
    ...history.map((commit) => `- ${inOneLine(commit)}`),
    ...names('Other definitions of that name', others),
  ];
}
