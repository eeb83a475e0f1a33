// Runs an official conformance suite against a server or a client, and reads its results file by file. The suites ask for
// Node 22 only because of one named import of a CommonJS package: bundled into CommonJS they run on any Node.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle, root } from './bundle.ts';
import { createFolder } from './folder.ts';

export type Suite = 'conformance-2025' | 'conformance-2026';

interface SuiteRun {
  /** How many scenarios the suite said it would run. */
  announced: number;
  scenarios: Scenario[];
  exitCode: number | null;
  output: string;
}

export interface Scenario {
  name: string;
  checks: Check[];
}

export interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

/** Against the server at this address. */
export async function runSuite(suite: Suite, url: string, options: readonly string[]): Promise<SuiteRun> {
  return run(suite, ['server', '--url', url, ...options]);
}

/** Against a client: a command that gets the address of a server as its last argument. */
export async function runClientSuite(suite: Suite, command: string, options: readonly string[]): Promise<SuiteRun> {
  return run(suite, ['client', '--command', command, '--timeout', '600000', ...options]);
}

async function run(suite: Suite, args: readonly string[]): Promise<SuiteRun> {
  const program = await bundleSuite(suite);
  const results = createFolder('suite');
  const child = spawn(process.execPath, [program, ...args, '-o', results], { cwd: results });
  let output = '';
  const gather = (part: Buffer) => {
    output += part;
  };
  child.stdout.on('data', gather);
  child.stderr.on('data', gather);
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const announced = Number(/\((\d+) scenarios\)/.exec(output)?.[1] ?? Number.NaN);
  return { announced, scenarios: readResults(results), exitCode, output };
}

function bundleSuite(suite: Suite): Promise<string> {
  const entry = `node_modules/${suite}/dist/index.js`;
  const url = pathToFileURL(join(root, entry)).href;
  return bundle(entry, {
    format: 'cjs',
    // The suite finds its own files by its address, which has to stay what it was.
    define: { 'import.meta.url': 'suiteUrl' },
    banner: { js: `const suiteUrl = ${JSON.stringify(url)};` },
  });
}

const timeOfRun = /-\d{4}-\d{2}-\d{2}T.*$/;

/** One folder a scenario: `server-<name>-<time>`. One without checks is that of a scenario which could not be run. */
function readResults(folder: string, group = ''): Scenario[] {
  return readdirSync(join(folder, group)).flatMap((entry) => {
    const path = join(group, entry);
    if (!timeOfRun.test(entry)) return readResults(folder, path);
    const file = join(folder, path, 'checks.json');
    const name = path.replace(/^server-/, '').replace(timeOfRun, '');
    if (existsSync(file)) return { name, checks: JSON.parse(readFileSync(file, 'utf8')) as Check[] };
    return { name, checks: [{ id: name, status: 'FAILURE', errorMessage: 'the suite could not run it' }] };
  });
}
