// collection_search: returns passages of ingested documents, best first, within the token budget.
import { readCursor, writeCursor } from '../../../core/cursor.ts';
import { checkRanked, rankArgument } from '../../../core/rank-mode.ts';
import * as s from '../../../core/schema.ts';
import { cutText, fitBudget } from '../../../core/text/budget.ts';
import { fenceAsData } from '../../../core/text/fence.ts';
import { hangText, joinFacts, type Style, wrapText } from '../../../core/text/terminal.ts';
import { defineTool } from '../../../core/tool.ts';
import type { JournalContext } from '../context.ts';
import { collectionName, getCollection, listCollections } from './collection.ts';

const passage = s.object({
  id: s.string(),
  collection_name: s.string(),
  title: s.string({ description: 'Of the document, and the headings' }),
  text: s.string(),
  source: s.string({ description: 'Path or title' }),
  line: s.integer(),
  score: s.number(),
});
const answer = s.object({ chunks: s.list(passage), more: s.boolean(), next_cursor: s.optional(s.string()) });
type Passage = s.Infer<typeof passage>;

export function createSearchTool(context: JournalContext) {
  return defineTool({
    name: 'collection_search',
    title: 'Search collections',
    description: 'Search ingested documents for passages, in one collection or all.',
    effect: 'read',
    page: 'opens',
    examples: [
      ['lore collection search "how do refunds work?"', 'in all collections'],
      ['lore collection search refunds --collection-name handbook', 'in one'],
    ],
    input: s.object({
      query: s.string({ min: 1, max: 20_000 }),
      collection_name: s.optional(collectionName),
      limit: s.withDefault(s.integer({ min: 1, max: 50 }), 8),
      budget_tokens: s.withDefault(s.integer({ min: 50, max: 100_000 }), 2_000),
      cursor: s.optional(s.string({ max: 200 })),
      rank: rankArgument,
    }),
    output: answer,
    async run({ query, collection_name: name, limit, budget_tokens: budget, cursor, rank: asked }, call) {
      const place = cursor === undefined ? undefined : readCursor(cursor, checkRanked);
      const offset = place?.offset ?? 0;
      const end = offset + limit;
      const scope = await context.open(call);
      const collections =
        name === undefined ? await listCollections(scope) : [await getCollection(scope, name, 'search')];
      const names = new Map(collections.map(({ id, title }) => [id, title]));
      const rank = place?.rank ?? (scope.opened.graph.openDeep(asked) ? 'deep' : 'fast');
      const { findChunks } = await import('./find.ts');
      const found = await findChunks(scope.opened, query, [...names.keys()], end + 1, rank);
      const passages = found.slice(offset, end).map(({ chunk, score }): Passage => {
        const { id, project, title, text, source, data } = chunk;
        const line = Number(data.line ?? 1);
        return { id, collection_name: names.get(project) ?? '', title, text, source, line, score: round(score) };
      });
      const { kept } = fitBudget(passages, budget, (one) => `${one.id} ${labelOf(one)}\n${one.text}`);
      const next = offset + kept.length;
      const more = next < found.length;
      return {
        chunks: kept.map(({ item, cut }) =>
          cut
            ? { ...item, text: cutText(item.text, item.id, budget, { query, rest: `"${item.source}" has the rest` }) }
            : item,
        ),
        more,
        ...(more && { next_cursor: writeCursor(next, rank) }),
      };
    },
    render({ chunks, next_cursor: next }) {
      if (chunks.length === 0) return 'No matching documents.';
      const fenced = fenceAsData(chunks.map((one) => ({ id: one.id, label: labelOf(one), text: one.text })));
      return next === undefined ? fenced : `${fenced}\nThere are more: cursor ${next}`;
    },
    show: showPassages,
  });
}

function labelOf({ collection_name: name, title, source, line }: Passage): string {
  return `${name} · ${source}:${line} · ${title}`;
}

const round = (score: number) => Math.round(score * 1000) / 1000;

function showPassages({ chunks, more }: s.Infer<typeof answer>, style: Style): string {
  if (chunks.length === 0) return 'No matching documents.';
  const places = String(chunks.length).length;
  const lines = chunks.flatMap((one, at) => showPassage(one, `${String(at + 1).padStart(places)}. `, style));
  return [...lines, ...(more ? [style.dim('There are more: --limit, --budget-tokens')] : [])].join('\n');
}

function showPassage(one: Passage, number: string, { bold, dim, width }: Style): string[] {
  const indent = ' '.repeat(number.length);
  const facts = [one.collection_name, `${one.source}:${one.line}`, `score ${one.score.toFixed(2)}`];
  return [
    ...hangText(number, one.title, width).map(bold),
    ...wrapText(one.text, width - indent.length).map((line) => `${indent}${line}`.trimEnd()),
    ...joinFacts(facts, width - indent.length).map((line) => indent + dim(line)),
  ];
}
