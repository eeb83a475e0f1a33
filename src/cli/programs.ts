// Shared by install and uninstall: selecting the programs, the current location, and reporting the result.

import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Agent, type AgentLocation, type InstallScope, scopes } from '../agents/agent.ts';
import { agents } from '../agents/agents.ts';
import { describeChange, type InstallStep } from '../agents/install.ts';
import { describeLaunch, describePortable } from '../agents/launch.ts';
import type { Setup } from '../agents/part.ts';
import { openReceipts, type Receipts } from '../agents/receipt.ts';
import type { Given, Output } from '../core/command.ts';
import { LoreError, toLoreError } from '../core/error.ts';
import { defaultLocation } from '../core/location.ts';
import { didYouMean } from '../core/text/similar-names.ts';
import { exitStatus } from './exit-status.ts';
import { alignColumns } from './output.ts';

export function findPlace(folder = process.cwd()): AgentLocation {
  return { platform: process.platform, home: homedir(), env: process.env, project: findProject(folder) };
}

/** The top of the repository, or the folder itself. */
function findProject(folder: string): string {
  const real = realpathSync(folder);
  for (let place = real; ; place = dirname(place)) {
    if (existsSync(join(place, '.git'))) return place;
    if (dirname(place) === place) return real;
  }
}

export function setupOf({ platform, env }: AgentLocation, variables: Setup['env'] = {}): Setup {
  const invoked = process.argv[1] ?? '';
  const script = realpathSync(invoked);
  const launch = describeLaunch({ execPath: process.execPath, invoked, script, env });
  return { launch, portable: describePortable(script), platform, env: variables };
}

export function openOwnReceipts(): Receipts {
  return openReceipts(join(dirname(defaultLocation()), 'installed'));
}

export function selectAgents(
  words: readonly string[],
  scope: Given | undefined,
  place: AgentLocation,
): readonly Agent[] {
  const hint = `Programs: ${agents.map(({ id }) => id).join(', ')}, or all installed ones.`;
  if (words.includes('all')) return findAll(scope, place);
  return words.map((word) => {
    const agent = agents.find(({ id }) => id === word);
    if (agent) return agent;
    const close = didYouMean(
      word,
      agents.map(({ id }) => id),
    );
    throw new LoreError('not_found', `Unknown program ${JSON.stringify(word)}`, { hint: close ?? hint });
  });
}

function findAll(scope: Given | undefined, place: AgentLocation): readonly Agent[] {
  const here = agents.filter((agent) => agent.traces(place).some((path) => existsSync(path)));
  const fitting = here.filter((agent) => scope === undefined || Object.hasOwn(agent.scopes, String(scope)));
  if (fitting.length > 0) return fitting;
  throw new LoreError('not_found', 'Cannot use "all": no supported program is installed', {
    hint: `Name one: ${agents.map(({ id }) => id).join(', ')}.`,
  });
}

export function chooseScope(agent: Agent, scope: Given | undefined): InstallScope {
  const own = scopes.filter((one) => agent.scopes[one]);
  const chosen = own.find((one) => one === (scope ?? own[0]));
  if (chosen) return chosen;
  throw new LoreError(
    'invalid_input',
    `Cannot use ${agent.title} with scope "${String(scope)}": it has no such scope`,
    {
      hint: `Its scopes: ${own.join(', ')}.`,
    },
  );
}

interface Plan {
  scope: InstallScope;
  steps: readonly InstallStep[];
  printed?: readonly { file: string; text: string }[];
  note?: string;
}

const done: Record<InstallStep['does'], string> = {
  create: 'created',
  change: 'changed',
  nothing: 'nothing to do',
  restore: 'as before',
  delete: 'deleted',
};

/** One program after the other; a failure with one does not affect the next. */
export async function reportPrograms(
  chosen: readonly Agent[],
  output: Output,
  options: Readonly<Record<string, Given | undefined>>,
  plan: (agent: Agent) => Plan,
): Promise<number> {
  const results: object[] = [];
  let status = 0;
  for (const agent of chosen) {
    try {
      const { scope, steps, printed, note } = plan(agent);
      if (!options['dry-run']) for (const step of steps) step.carryOut();
      results.push({ program: agent.id, scope, files: printed ?? steps.map(({ file, does }) => ({ file, does })) });
      if (output.json) continue;
      output.print(output.bold(`${agent.title} (${scope})`));
      for (const { file, text } of printed ?? []) output.print(`  ${file}\n${indent(text)}`);
      if (steps.length > 0)
        output.print(
          indent(alignColumns(steps.map(({ file, does }) => [options['dry-run'] ? does : done[does], file]))),
        );
      if (options['dry-run']) for (const step of steps) if (step.does !== 'nothing') output.print(show(step));
      const isChanged = steps.some(({ does }) => does !== 'nothing');
      if (note !== undefined && isChanged && !options['dry-run']) output.print(`  ${note}`);
    } catch (error) {
      const failure = toLoreError(error, `set up ${agent.title}`);
      if (chosen.length === 1) throw failure;
      status ||= exitStatus[failure.word];
      results.push({ program: agent.id, error: { code: failure.word, message: failure.message } });
      output.note(`lore: ${failure.message}${failure.hint === undefined ? '' : `\n${failure.hint}`}`);
    }
  }
  if (output.json) output.printJson(results);
  return status;
}

function show(step: InstallStep): string {
  return `\n  ${step.file}\n${indent(describeChange(step))}`;
}

function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, '  ');
}
