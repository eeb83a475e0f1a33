// lore doctor

import { accessSync, constants } from 'node:fs';
import { isReadableByOthers } from '../../config/change-settings.ts';
import { type Config, loadConfig } from '../../config/load.ts';
import type { Settings } from '../../config/settings.ts';
import type { Command, Invocation } from '../../core/command.ts';
import { LoreError } from '../../core/error.ts';
import { send } from '../../core/outgoing/send.ts';
import type { GraphAccess } from '../../graph/access.ts';
import { alignColumns } from '../output.ts';
import { startOnce } from '../start.ts';

interface Finding {
  check: string;
  ok: boolean;
  found: string;
}

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check this installation and report problems.',
  settings: ['host', 'port'],
  examples: [['lore doctor', 'exit status 1 if there is a problem']],
  async run(invocation) {
    const findings = await examine(invocation);
    const { output } = invocation;
    if (output.json) output.printJson(findings);
    else output.print(alignColumns(findings.map(({ check, ok, found }) => [ok ? 'ok' : 'PROBLEM', check, found])));
    return findings.every(({ ok }) => ok) ? 0 : 1;
  },
};

async function examine({ flags }: Invocation): Promise<Finding[]> {
  const findings: Finding[] = [{ check: 'Node.js', ok: true, found: process.versions.node }];
  let config: Config;
  try {
    config = loadConfig({ flags });
  } catch (error) {
    if (!(error instanceof LoreError)) throw error;
    return [...findings, { check: 'settings', ok: false, found: error.message }];
  }
  findings.push(examineSettings(config));
  const app = await startOnce({ flags }, 'silent');
  try {
    for (const { id, state, tools, problem } of app.registry.services()) {
      findings.push({ check: `service ${id}`, ok: state === 'running', found: problem ?? `tools: ${tools}` });
    }
    findings.push(await examineDatabase(app.graph));
  } finally {
    await app.stop();
  }
  const { examineModel } = await import('../../graph/rerank.ts');
  findings.push({ check: 'deep ranking', ...examineModel() });
  findings.push(await examinePort(config.values));
  const { examineClients } = await import('../examine-clients.ts');
  for (const { program, file, name, problem } of examineClients(config.values)) {
    findings.push({
      check: program,
      ok: problem === undefined,
      found: `"${name}" in ${file}${problem ? `: ${problem}` : ''}`,
    });
  }
  return findings;
}

async function examineDatabase(graph: GraphAccess): Promise<Finding> {
  const check = 'database';
  try {
    const [{ store, countNodes }, { refuseDamage }] = await Promise.all([
      graph.open(),
      import('../../store/damage.ts'),
    ]);
    await refuseDamage(store);
    return { check, ok: true, found: `${await countNodes()} nodes in ${graph.location}` };
  } catch (error) {
    if (!(error instanceof LoreError)) throw error;
    return { check, ok: false, found: error.message };
  }
}

function examineSettings({ file, sources }: Config): Finding {
  const check = 'settings';
  if (sources.token === 'file' && isReadableByOthers(file)) {
    return {
      check,
      ok: false,
      found: `other users can read the token in ${file}. Run lore token to make the file private`,
    };
  }
  return { check, ok: true, found: describeFile(file) };
}

function describeFile(file: string): string {
  try {
    accessSync(file, constants.R_OK);
    return file;
  } catch {
    return `defaults (no ${file})`;
  }
}

async function examinePort({ host, port, token }: Settings): Promise<Finding> {
  const check = `port ${port}`;
  const { createServer } = await import('node:net');
  const free = await new Promise<boolean>((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
  if (free) return { check, ok: true, found: 'free' };
  const served = await fetchHealth(host, port, token);
  return { check, ok: served !== undefined, found: served ?? 'in use by another program' };
}

async function fetchHealth(host: string, port: number, token: string): Promise<string | undefined> {
  try {
    const headers = token === '' ? [] : ([['authorization', `Bearer ${token}`]] as const);
    const request = { method: 'GET', origin: `http://${host}:${port}`, target: '/healthz', headers };
    const { body } = await send(request, { reach: 'private', timeoutMs: 1_000, maxBytes: 10_000 });
    const { version } = JSON.parse(body.toString()) as { version?: string };
    return version === undefined ? undefined : `lorekeeper ${version} is running here`;
  } catch {
    return undefined;
  }
}
