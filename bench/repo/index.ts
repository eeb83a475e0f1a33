// Indexes a folder into an empty database while recall is asked again and again, in this process and in another one. The
// machine's own speed stands beside it: the same files parsed by the bare grammar in one thread.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Language, Parser } from 'web-tree-sitter';
import { readCompressedAsset } from '../../src/core/asset.ts';
import { createPlainCall, localCaller } from '../../src/core/call.ts';
import { createLog } from '../../src/core/log.ts';
import { Registry } from '../../src/core/registry/registry.ts';
import { createGraphAccess } from '../../src/graph/access.ts';
import { createFolders } from '../../src/graph/project/grant.ts';
import { identifyFolder, treeOf } from '../../src/graph/project/project.ts';
import { createServices } from '../../src/services/index.ts';
import { languageOf } from '../../src/services/repo/index/language/languages.ts';
import { nameFile } from '../../src/services/repo/index/names.ts';
import { walkSources } from '../../src/services/repo/index/walk.ts';
import { type BenchOptions, linkPrograms } from './programs.ts';

export async function run({ args, root: project, folder }: BenchOptions): Promise<void> {
  linkPrograms(project, folder);
  const root = realpathSync(args[0] ?? '.');
  const place = mkdtempSync(join(tmpdir(), 'lore-bench-repo-'));
  const database = join(place, 'lore.db');
  const { access, registry, call } = await openServices(database, root);
  const opened = await access.open();
  const subjects = ['deploys', 'walruses', 'tests', 'caches', 'invoices'];
  for (let n = 0; n < 300; n++) {
    await call('remember', { content: `Fact ${n}: ${subjects[n % 5]} of sort ${n} are handled by team ${n % 17}` });
  }

  const quiet = await measureRecall(call, () => false, 60);
  const other = startOther(database, root);
  const before = process.cpuUsage();
  const begun = performance.now();
  let isOver = false;
  const indexing = (async () => {
    for (;;) {
      const { structured } = await call('index_repository', {});
      const { state, result } = structured as { state: string; result?: { files: number; symbols: number } };
      if (state !== 'indexing') return { state, result };
    }
  })().finally(() => {
    isOver = true;
  });
  const busy = await measureRecall(call, () => isOver, Number.POSITIVE_INFINITY);
  const { state, result } = await indexing;
  const seconds = (performance.now() - begun) / 1_000;
  const { user, system } = process.cpuUsage(before);
  const files = result?.files ?? 0;
  const cpu = (user + system) / 1e6;
  console.log(
    `${state}: ${files} files, ${result?.symbols} symbols in ${seconds.toFixed(1)} s: ${(files / seconds).toFixed(0)} files/s`,
  );
  console.log(
    `processor ${cpu.toFixed(1)} s (recalls included): ${((2 * files) / cpu).toFixed(0)} files/s if two cores had been free`,
  );
  console.log(`memory at most ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
  console.log(`recall, quiet: ${tell(quiet)}; while indexing: ${tell(busy)}`);
  console.log(`recall in another process while indexing: ${tell(await other.stop())}`);
  console.log(`one changed file: ${(await measureChange(root, opened)).toFixed(0)} ms until it is in the index`);
  console.log(await calibrate(root));
  for (const { id } of registry.services()) await registry.unregister(id);
  await access.close();
  rmSync(place, { recursive: true, force: true });
}

type CallTool = (name: string, given: object) => unknown;

async function openServices(database: string, root: string) {
  const access = createGraphAccess(database);
  const registry = new Registry(
    { readOnly: false, permissions: {}, callTimeoutMs: 600_000, rateLimit: 1_000_000 },
    createLog('silent'),
  );
  for (const service of createServices({ registry, graph: access, folders: createFolders(access) }))
    await registry.register(service);
  const call = async (name: string, given: object) =>
    registry.call(name, given, createPlainCall({ ...localCaller, folder: root }));
  return { access, registry, call };
}

/** A process that recalls until it is told to stop, and then tells what it took. */
function startOther(database: string, root: string) {
  const program = `import { recallElsewhere } from ${JSON.stringify(import.meta.url)}; await recallElsewhere(${JSON.stringify([database, root])});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (part: Buffer) => {
    said += part;
  });
  return {
    async stop(): Promise<number[]> {
      child.stdin.end();
      await once(child, 'close');
      return JSON.parse(said);
    },
  };
}

export async function recallElsewhere([database, root]: [string, string]): Promise<void> {
  const { access, call } = await openServices(database, root);
  let isOver = false;
  process.stdin.on('end', () => {
    isOver = true;
  });
  process.stdin.resume();
  const times = await measureRecall(call, () => isOver, Number.POSITIVE_INFINITY);
  console.log(JSON.stringify(times));
  await access.close();
}

async function measureRecall(call: CallTool, isOver: () => boolean, most: number): Promise<number[]> {
  const times: number[] = [];
  while (times.length < most && !isOver()) {
    const begun = performance.now();
    await call('recall', { query: `which team handles walruses of sort ${times.length % 300}` });
    times.push(performance.now() - begun);
    await pause(20);
  }
  // The first opens the graph.
  return times.slice(1).sort((a, b) => a - b);
}

function tell(times: readonly number[]): string {
  const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms of ${times.length}`;
}

/** A definition is added to a new file; the file goes again. */
async function measureChange(root: string, opened: Awaited<ReturnType<ReturnType<typeof createGraphAccess>['open']>>) {
  const path = 'lore-bench-changed.py';
  const id = nameFile(treeOf(identifyFolder(root).claim, root), path);
  try {
    const times: number[] = [];
    for (let n = 0; n < 5; n++) {
      const seen = (await opened.graph.get(id))?.data.hash;
      const begun = performance.now();
      writeFileSync(join(root, path), `def changed_${n}():\n    return ${n}\n`);
      while ((await opened.graph.get(id))?.data.hash === seen) await pause(2);
      times.push(performance.now() - begun);
      await pause(200);
    }
    return times.sort((a, b) => a - b)[2] as number;
  } finally {
    rmSync(join(root, path), { force: true });
  }
}

async function calibrate(root: string): Promise<string> {
  await Parser.init();
  const parser = new Parser();
  const grammars = new Map<string, Language>();
  const { files } = await walkSources(root, { signal: new AbortController().signal, largest: 1_000_000 });
  const before = process.cpuUsage();
  let [bytes, count] = [0, 0];
  for (const { path, size } of files) {
    const name = languageOf(path)?.grammar;
    if (name === undefined || !['python', 'typescript', 'javascript', 'go', 'java', 'rust'].includes(name)) continue;
    const grammar = grammars.get(name) ?? (await Language.load(readCompressedAsset(`grammars/${name}.wasm`)));
    grammars.set(name, grammar);
    parser.setLanguage(grammar);
    parser.parse(readFileSync(join(root, path), 'utf8'))?.delete();
    bytes += size;
    count++;
  }
  const { user, system } = process.cpuUsage(before);
  const cpu = (user + system) / 1e6;
  return `the bare grammar: ${count} of them, ${(bytes / 1e6).toFixed(1)} MB, in ${cpu.toFixed(1)} s of processor: ${(bytes / 1e6 / cpu).toFixed(1)} MB/s`;
}
