// How long it takes until the tools of a large document can be found and called, and how much memory that takes. Each step runs
// in a process of its own, as a server starts without anything in memory.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openForge } from '../../src/services/forge/forge.ts';
import { describeArguments } from '../../src/services/forge/source/edit.ts';
import { prepareTools, rankTools } from '../../src/services/forge/surface/rank.ts';

interface ReadyOptions {
  folder: string;
  document: string;
}

type Step = (options: ReadyOptions) => Promise<string>;

const times = 5;

const open = ({ folder }: ReadyOptions) => openForge({ folder, reserved: async () => [] });

const steps: Record<string, Step> = {
  async add(options) {
    const { source } = await open(options).add({ name: 'github', from: options.document, isPerson: true });
    return `${source.operations} operations`;
  },
  async find(options) {
    const { sources } = open(options);
    const catalog = await sources.catalog(await sources.get('github'));
    const tools = prepareTools(catalog.map((entry) => ({ ...entry, name: `github_${entry.name}`, source: 'github' })));
    return rankTools(tools, 'create an issue in a repository', 1)[0]?.key ?? 'nothing';
  },
  async describe(options) {
    const { sources } = open(options);
    const source = await sources.get('github');
    const entry = (await sources.catalog(source)).find(({ key }) => key === 'post /repos/{owner}/{repo}/issues');
    const schema = entry && describeArguments(await sources.api(source), entry);
    return `${JSON.stringify(schema).length} characters of arguments`;
  },
};

export async function run(options: ReadyOptions): Promise<void> {
  const code = `import { measure } from ${JSON.stringify(import.meta.url)}; await measure(...JSON.parse(process.argv[1]));`;
  for (const name of Object.keys(steps)) {
    const runs = Array.from({ length: times }, () => {
      const given = JSON.stringify([name, options]);
      const output = execFileSync(process.execPath, ['--input-type=module', '-e', code, given], {
        cwd: fileURLToPath(new URL('..', import.meta.url)),
        encoding: 'utf8',
      });
      return JSON.parse(output) as { result: string; ms: number; cpuMs: number; mb: number };
    });
    const median = (pick: (run: (typeof runs)[0]) => number) => runs.map(pick).sort((a, b) => a - b)[times >> 1];
    console.log(
      `${name}: ${median(({ ms }) => ms)} ms, ${median(({ cpuMs }) => cpuMs)} ms of the processor, ${median(({ mb }) => mb)} MB more (${runs[0]?.result})`,
    );
  }
}

export async function measure(name: string, options: ReadyOptions): Promise<void> {
  const [memory, cpu, start] = [process.memoryUsage.rss(), process.cpuUsage(), performance.now()];
  const result = await (steps[name] as Step)(options);
  const ms = Math.round(performance.now() - start);
  const { user, system } = process.cpuUsage(cpu);
  const mb = Math.round((process.memoryUsage.rss() - memory) / 1024 ** 2);
  console.log(JSON.stringify({ result, ms, cpuMs: Math.round((user + system) / 1000), mb }));
}
