// What an export leaves out of a document: how many documents can be pruned without any difference in a call, and by how much.
import { pruneDocument } from '../../src/services/forge/export/prune.ts';
import { Api } from '../../src/services/forge/openapi/api.ts';
import { openDocument } from '../../src/services/forge/openapi/document.ts';
import { buildCatalog } from '../../src/services/forge/source/catalog.ts';
import { type BenchOptions, readDocuments } from './documents.ts';

export async function run(options: BenchOptions): Promise<void> {
  const [whole, shares]: [string[], number[]] = [[], []];
  for await (const { path, text } of readDocuments(options)) {
    const api = new Api(openDocument(JSON.parse(text)));
    const { document, isPruned } = pruneDocument(api, buildCatalog(api).entries);
    if (isPruned) shares.push(JSON.stringify(document).length / text.length);
    else whole.push(path);
  }
  shares.sort((a, b) => a - b);
  const percent = (share = 0) => `${Math.round(100 * share)} %`;
  console.log(`${shares.length} pruned, ${whole.length} exported whole: ${whole.slice(0, 10).join(', ')}`);
  console.log(
    `share of the document that is left: median ${percent(shares[shares.length >> 1])}, largest ${percent(shares.at(-1))}`,
  );
}
