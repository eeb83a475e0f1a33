// Retrieval: RestBench (a question, and the operations that answer it) with the ranking of tool_find.
import { readFileSync } from 'node:fs';
import { Api } from '../../src/services/forge/openapi/api.ts';
import { openDocument } from '../../src/services/forge/openapi/document.ts';
import { buildCatalog } from '../../src/services/forge/source/catalog.ts';
import { prepareTools, rankTools } from '../../src/services/forge/surface/rank.ts';

interface Question {
  query: string;
  solution: string[];
}

export async function run({ document, questions }: { document: string; questions: string }): Promise<void> {
  const api = new Api(openDocument(JSON.parse(readFileSync(document, 'utf8'))));
  const { entries } = buildCatalog(api);
  const tools = prepareTools(entries.map((entry) => ({ ...entry, name: `api_${entry.name}`, source: 'api' })));
  const rows = JSON.parse(readFileSync(questions, 'utf8')) as Question[];
  const keyOf = (solution: string) => solution.trim().toLowerCase();
  const sums = { any5: 0, recall5: 0, recall10: 0 };
  for (const { query, solution } of rows) {
    const wanted = solution.map(keyOf);
    const found = rankTools(tools, query, 10).map(({ key }) => key.toLowerCase());
    const hits = (count: number) => wanted.filter((key) => found.slice(0, count).includes(key)).length;
    sums.any5 += hits(5) > 0 ? 1 : 0;
    sums.recall5 += hits(5) / wanted.length;
    sums.recall10 += hits(10) / wanted.length;
  }
  const percent = (sum: number) => `${((100 * sum) / rows.length).toFixed(1)} %`;
  console.log(`${rows.length} questions, ${entries.length} operations`);
  console.log(`any@5 ${percent(sums.any5)}, recall@5 ${percent(sums.recall5)}, recall@10 ${percent(sums.recall10)}`);
}
