// lore import

import { localCaller, personCaller } from '../../core/call.ts';
import type { Command, Invocation } from '../../core/command.ts';
import { LoreError } from '../../core/error.ts';
import { didYouMean } from '../../core/text/similar-names.ts';
import type { ImportFormat } from '../../services/memory/import/import-format.ts';
import type { ImportSource } from '../../services/memory/import/import-source.ts';
import { createBar } from '../follow.ts';
import { startOnce } from '../start.ts';

const barSteps = 100;
/** A dump contains everything that these tools write. */
const dumpTools = [
  'remember',
  'checkpoint_save',
  'remediation_save',
  'skill_save',
  'collection_ingest',
  'project_change',
];

export const importCommand: Command = {
  name: 'import',
  summary: 'Import a file that lore export wrote, or memories of other programs; existing entries are skipped.',
  usage: '<file|folder|->',
  options: {
    from: {
      type: 'string',
      value: 'format',
      help: 'auto, lore, mcp-memory, markdown, claude-code or kuzu; default: auto, by content',
    },
    'dry-run': { type: 'boolean', help: 'Show what would be imported, and store nothing' },
  },
  examples: [
    ['lore import lore.jsonl', 'a file that lore export wrote, in one transaction'],
    ['lore import memory.jsonl', 'the file of the reference MCP memory server'],
    ['lore import MEMORY.md --dry-run', 'preview notes in Markdown'],
    ['lore import ~/.claude/projects', "Claude Code's transcripts and notes"],
    ['LORE_DB=postgres://… lore import lore.jsonl', 'into another database'],
  ],
  async run({ words, options, flags, output }) {
    const [path = ''] = words;
    const { detectFormat, formats } = await import('../../services/memory/import/import-format.ts');
    const { openSources } = await import('../../services/memory/import/import-source.ts');
    const from = String(options.from ?? 'auto');
    const forced = formats.find((format) => format === from);
    if (forced === undefined && from !== 'auto') {
      throw new LoreError('invalid_input', `Cannot import from "${from}": there is no such format`, {
        hint: didYouMean(from, formats) ?? `Formats: auto, ${formats.join(', ')}.`,
      });
    }
    const sources = await openSources(path, () => process.stdin);
    const [only] = sources;
    const chosen = forced ?? (sources.length === 1 && only ? detectFormat(await only.head(), only.name) : undefined);
    if (only && sources.length === 1 && chosen === 'lore')
      return importDump(only, options['dry-run'] === true, { flags, output });
    return importMemories(path, sources, forced, options['dry-run'] === true, { flags, output });
  },
};

type Surroundings = Pick<Invocation, 'flags' | 'output'>;

async function importDump(source: ImportSource, dryRun: boolean, { flags, output }: Surroundings): Promise<number> {
  const { readLines } = await import('../../services/memory/import/import-source.ts');
  if (dryRun) {
    let rows = 0;
    for await (const line of readLines(source)) if (/^\{"(?:project|node|edge|change)":/.test(line)) rows++;
    if (output.json) output.printJson({ rows });
    else output.print(`${rows} rows in ${source.name}`);
    return 0;
  }
  const app = await startOnce({ flags });
  try {
    const { rows, indexed } = await app.registry.perform('import', dumpTools, { source: source.name }, async () => {
      const { store, graph } = await app.graph.open();
      const { importLines } = await import('../../graph/dump.ts');
      return { rows: await importLines(store, readLines(source)), indexed: await graph.reindex() };
    });
    if (output.json) output.printJson({ rows, indexed });
    else output.print(`${rows} rows added, ${indexed} nodes indexed`);
    return 0;
  } finally {
    await app.stop();
  }
}

async function importMemories(
  path: string,
  sources: readonly ImportSource[],
  forced: ImportFormat | undefined,
  dryRun: boolean,
  { flags, output }: Surroundings,
): Promise<number> {
  const { detectFormat, formats } = await import('../../services/memory/import/import-format.ts');
  const { importSource } = await import('../../services/memory/import/import-work.ts');
  const { createTally, describeImported } = await import('../../services/memory/import/import-tally.ts');
  const amongOthers = sources.length > 1;
  const tally = createTally(dryRun);
  const app = await startOnce({ flags });
  const bar = createBar();
  const readAll = async () => {
    const scope = { ...(await app.folders.open(localCaller)), actor: 'import' };
    // Users who import their own records have worked in the folders that these name.
    const enter = (folder: string) => app.folders.enter(personCaller, folder, 'write');
    const total = sources.reduce((sum, { size = 0 }) => sum + size, 0) || 1;
    let before = 0;
    for (const source of sources) {
      const report = (share: number) => {
        const done = (before + share * (source.size ?? total)) / total;
        bar.show(Math.round(done * barSteps), barSteps, `${tally.imported.kept} stored, ${source.name}`);
      };
      const format = forced ?? detectFormat(await source.head(), source.name);
      // A dump is imported as a whole, so it cannot be one source among others.
      if (format === undefined || format === 'lore') tally.leave(format === 'lore' ? 'a lore export' : 'unknown form');
      else {
        tally.take(format);
        await importSource(scope, source, format, { dryRun, amongOthers, tally, rules: app.learning, enter, report });
      }
      before += source.size ?? 0;
    }
    bar.clear();
    if (tally.imported.sources > 0) return;
    throw new LoreError('invalid_input', `Cannot import "${path}": its format is not recognised`, {
      hint: `Name the format with --from: ${formats.join(', ')}.`,
    });
  };
  try {
    const args = { path, from: forced, dry_run: dryRun };
    await app.registry.perform('import', [dryRun ? 'recall' : 'remember'], args, readAll);
    if (output.json) output.printJson(tally.imported);
    else output.print(describeImported(tally.imported));
    return 0;
  } finally {
    bar.clear();
    await app.stop();
  }
}
