// Opens every document and reads every operation: crashes, names, schemas and times.
import { fromJsonSchema } from '../../src/core/foreign.ts';
import { Api } from '../../src/services/forge/openapi/api.ts';
import { openDocument } from '../../src/services/forge/openapi/document.ts';
import { describeInput } from '../../src/services/forge/openapi/model-schema.ts';
import { type BenchOptions, readDocuments } from './documents.ts';

export async function run(options: BenchOptions): Promise<void> {
  const sizes: number[] = [];
  const times: number[] = [];
  const counts = { documents: 0, failed: 0, operations: 0, unreadable: 0, badNames: 0, badSchemas: 0, slow: 0 };
  const reasons = new Map<string, number>();
  for await (const { path, text } of readDocuments(options)) {
    counts.documents++;
    const started = performance.now();
    let compiling = 0;
    let api: Api;
    try {
      api = new Api(openDocument(JSON.parse(text)));
    } catch (error) {
      counts.failed++;
      console.log(`${path}: ${(error as Error).message}`);
      continue;
    }
    times.push(performance.now() - started);
    if (new Set(api.names).size !== api.names.length) counts.badNames++;
    for (const name of api.names) {
      counts.operations++;
      if (!/^[a-z0-9_]{1,42}$/.test(name)) counts.badNames++;
      try {
        const schema = describeInput(api, api.operation(name));
        sizes.push(JSON.stringify(schema).length);
        const before = performance.now();
        try {
          fromJsonSchema(schema).warm?.();
        } catch (error) {
          counts.badSchemas++;
          console.log(
            `${path} ${name}: ${(error as Error).message} ${((error as Error).cause as Error)?.message ?? ''}`,
          );
        }
        compiling += performance.now() - before;
      } catch (error) {
        counts.unreadable++;
        const reason = `${path}: ${(error as Error).message.slice(0, 120)}`;
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }
    }
    const ms = performance.now() - started - compiling;
    if (ms > 5_000) {
      counts.slow++;
      console.log(`${path}: ${Math.round(ms)} ms`);
    }
  }
  for (const [reason, count] of [...reasons].slice(0, 20)) console.log(`${count} × ${reason}`);
  console.log(counts);
  console.log('characters of a schema: p50, p95, max', ...percentiles(sizes));
  console.log('ms to parse and open: p50, p95, max', ...percentiles(times));
}

function percentiles(values: number[]): number[] {
  const sorted = values.sort((a, b) => a - b);
  return [0.5, 0.95, 1].map((share) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0));
}
