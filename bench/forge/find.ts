// Retrieval with the ranking of tool_find: RestBench (questions and the operations of an API), the golden set of mcpproxy
// (questions and the tools of MCP servers), and BFCL's live_multiple (its functions pooled, odd ids).
import { readFileSync } from 'node:fs';
import type { ProvidedTool } from '../../src/core/tool-provider.ts';
import { Api } from '../../src/services/forge/openapi/api.ts';
import { openDocument } from '../../src/services/forge/openapi/document.ts';
import { buildCatalog } from '../../src/services/forge/source/catalog.ts';
import { prepareTools, rankTools } from '../../src/services/forge/surface/rank.ts';

interface FindSet {
  tools: (ProvidedTool & { id: string })[];
  rows: { query: string; wanted: string[] }[];
}

interface FunctionText {
  name: string;
  description: string;
  parameters?: { properties?: object };
  inputSchema?: { properties?: object };
}

type ReadSet = (document: string, questions: string) => FindSet;

function toTool(id: string, { name, description, parameters, inputSchema }: FunctionText): FindSet['tools'][0] {
  const words = Object.keys((parameters ?? inputSchema)?.properties ?? {}).join(' ');
  const summary = description.slice(0, 200);
  const rest = { source: 's', effect: 'read', key: name, signature: '()', returns: '' } as const;
  return { id, name: `s_${name}`, summary, description: description.slice(0, 600), words, ...rest };
}

const readers: Record<string, ReadSet> = {
  restbench(document, questions) {
    const { entries } = buildCatalog(new Api(openDocument(JSON.parse(document))));
    const rows = JSON.parse(questions) as { query: string; solution: string[] }[];
    return {
      tools: entries.map((entry) => ({ ...entry, id: entry.key.toLowerCase(), name: `s_${entry.name}`, source: 's' })),
      rows: rows.map(({ query, solution }) => ({ query, wanted: solution.map((key) => key.trim().toLowerCase()) })),
    };
  },
  golden(document, questions) {
    const { tools } = JSON.parse(document) as { tools: (FunctionText & { tool_id: string })[] };
    const { queries } = JSON.parse(questions) as { queries: { query: string; labels: { tool_id: string }[] }[] };
    return {
      tools: tools.map((tool) => toTool(tool.tool_id, { ...tool, name: tool.tool_id.split(':')[1] as string })),
      rows: queries.map(({ query, labels }) => ({ query, wanted: labels.map(({ tool_id: id }) => id) })),
    };
  },
  bfcl(document, questions) {
    const parse = <T>(text: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as T);
    type Row = { id: string; function: FunctionText[]; question: { role: string; content: string }[][] };
    const all = parse<Row>(document);
    const answers = new Map(
      parse<{ id: string; ground_truth: object[] }>(questions).map(({ id, ground_truth: [first = {}] }) => [
        id,
        Object.keys(first),
      ]),
    );
    const idOf = ({ name, description }: FunctionText) => JSON.stringify([name, description]);
    const pool = new Map(all.flatMap((row) => row.function).map((one) => [idOf(one), toTool(idOf(one), one)]));
    const rows = all
      .filter(({ id }) => Number(/\d+/.exec(id)?.[0]) % 2 === 1)
      .map((row) => ({
        query: (row.question[0] ?? [])
          .flatMap(({ role, content }) => (role === 'user' ? content : []))
          .join(' ')
          .slice(0, 500),
        wanted: row.function.filter(({ name }) => answers.get(row.id)?.includes(name)).map(idOf),
      }));
    return { tools: [...pool.values()], rows: rows.filter(({ wanted }) => wanted.length > 0) };
  },
};

export async function run({
  set,
  document,
  questions,
}: Record<'set' | 'document' | 'questions', string>): Promise<void> {
  const read = readers[set] as ReadSet;
  const { tools, rows } = read(readFileSync(document, 'utf8'), readFileSync(questions, 'utf8'));
  const prepared = prepareTools(tools);
  const sums = { any5: 0, recall5: 0, recall10: 0, mrr: 0 };
  for (const { query, wanted } of rows) {
    const found = rankTools(prepared, query, 10).map((tool) => (tool as FindSet['tools'][0]).id);
    const hits = (count: number) => wanted.filter((id) => found.slice(0, count).includes(id)).length;
    const first = found.findIndex((id) => wanted.includes(id));
    sums.any5 += hits(5) > 0 ? 1 : 0;
    sums.recall5 += hits(5) / wanted.length;
    sums.recall10 += hits(10) / wanted.length;
    sums.mrr += first < 0 ? 0 : 1 / (first + 1);
  }
  const percent = (sum: number) => `${((100 * sum) / rows.length).toFixed(1)} %`;
  console.log(`${rows.length} questions, ${tools.length} tools`);
  console.log(
    `any@5 ${percent(sums.any5)}, recall@5 ${percent(sums.recall5)}, recall@10 ${percent(sums.recall10)}, MRR ${(sums.mrr / rows.length).toFixed(3)}`,
  );
}
