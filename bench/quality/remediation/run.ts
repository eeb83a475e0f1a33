// One run: of every family one error is saved with its solution, the others are asked for, and so are errors of no family,
// all through the tools in one database.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPlainCall, localCaller } from '../../../src/core/call.ts';
import { createLog } from '../../../src/core/log.ts';
import { Registry } from '../../../src/core/registry/registry.ts';
import { createGraphAccess } from '../../../src/graph/access.ts';
import { createFolders } from '../../../src/graph/project/grant.ts';
import { createJournalContext } from '../../../src/services/journal/context.ts';
import { createRemediationTools } from '../../../src/services/journal/remediation/tools.ts';
import { type Family, readFamilies } from './corpus.ts';

interface Options {
  root: string;
  folder: string;
  set: string;
  failures: boolean;
}

interface Tally {
  asked: number;
  right: number;
  unrelated: number;
  silent: number;
}

type Searched = { remediations: { solution: string; score: number; why: string; error: string }[] };

export async function run({ root, folder, set, failures }: Options): Promise<Record<string, Tally>> {
  const read = (name: string) =>
    readFamilies(readFileSync(join(root, 'bench/quality/remediation', set, `${name}.txt`), 'utf8'));
  const access = createGraphAccess(join(folder, `${set}.db`));
  const rules = { readOnly: false, permissions: {}, callTimeoutMs: 60_000, rateLimit: Number.MAX_SAFE_INTEGER };
  const registry = new Registry(rules, createLog('silent'));
  const tools = createRemediationTools(createJournalContext(createFolders(access)));
  await registry.register({ id: 'journal', title: 'Journal', summary: 'remediations', tools: () => tools });
  const call = async (name: string, args: object) =>
    (await registry.call(name, args, createPlainCall({ ...localCaller, folder }))).structured;
  try {
    return await measure(read('errors'), read('unrelated'), call, failures);
  } finally {
    await access.close();
  }
}

async function measure(
  families: readonly Family[],
  others: readonly Family[],
  call: (name: string, args: object) => Promise<unknown>,
  failures: boolean,
): Promise<Record<string, Tally>> {
  const tallies: Record<string, Tally> = {};
  const tallyOf = (ecosystem: string) => {
    tallies[ecosystem] ??= { asked: 0, right: 0, unrelated: 0, silent: 0 };
    return tallies[ecosystem];
  };
  const search = async (error: string) =>
    ((await call('remediation_search', { error_msg: error })) as Searched).remediations[0];
  for (const { name, variants } of families) {
    await call('remediation_save', { error_msg: variants[0], solution: solutionOf(name) });
  }
  for (const { ecosystem, name, variants } of families) {
    const tally = tallyOf(ecosystem);
    for (const variant of variants.slice(1)) {
      const first = await search(variant);
      tally.asked++;
      if (first?.solution === solutionOf(name)) tally.right++;
      else if (failures) console.log(`MISSED ${name}: ${tell(first)}\n${indent(variant)}`);
    }
  }
  for (const { ecosystem, variants } of others) {
    const tally = tallyOf(ecosystem);
    for (const variant of variants) {
      const first = await search(variant);
      tally.unrelated++;
      if (!first) tally.silent++;
      else if (failures) console.log(`NOT SILENT ${ecosystem}: ${tell(first)}\n${indent(variant)}`);
    }
  }
  return tallies;
}

/** Says nothing of the error, so that only the error can be what is found. */
function solutionOf(name: string): string {
  return `Do what page ${[...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 1_000_003} says.`;
}

function tell(first: Searched['remediations'][number] | undefined): string {
  return first ? `${first.score} ${first.why} — ${first.error}` : 'nothing';
}

function indent(text: string): string {
  return text
    .split('\n')
    .slice(0, 8)
    .map((line) => `    ${line}`)
    .join('\n');
}
