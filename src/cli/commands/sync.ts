// lore sync

import { localCaller } from '../../core/call.ts';
import type { Command, Invocation } from '../../core/command.ts';
import { LoreError } from '../../core/error.ts';
import { sharedLevels } from '../../graph/share/level.ts';
import { createBar } from '../follow.ts';
import { startOnce } from '../start.ts';

export const sync: Command = {
  name: 'sync',
  summary: "Exchange shared memories with a git remote, or import new commits of the project's git history.",
  usage: 'now | status | log | purge <id> | key | signer | git',
  options: {
    remote: {
      type: 'string',
      value: 'remote',
      help: 'now: the remote for this project and level from now on, by its name or address, e.g. origin',
    },
    level: { type: 'string', value: 'level', choices: sharedLevels, help: 'now, log: team (default) or mine' },
    yes: { type: 'boolean', help: 'purge: do not ask for confirmation' },
    set: { type: 'boolean', help: 'key: read the key of your other machine from the terminal or from stdin' },
    since: {
      type: 'string',
      value: 'time',
      help: 'git: start of the range, e.g. 2026-01-31, 90d, "two months ago"; default: the last sync',
    },
    limit: {
      type: 'string',
      value: 'number',
      help: 'git, log: maximum number of commits or operations, newest first (default 20000 and 30)',
    },
    'dry-run': { type: 'boolean', help: 'git: show what would be stored, and store nothing' },
  },
  examples: [
    ['lore sync now --remote origin', 'choose the remote for the team, and sync'],
    ['lore sync now', 'send and receive shared memories'],
    ['lore sync status', 'what is shared, what waits, what is held back and why'],
    ['lore sync log --limit 10', 'the last ten operations of anybody'],
    ['lore sync purge n_mwiczb6s4', 'remove a memory from the remote, with its history'],
    ['lore sync key', 'print the key that your other machines need for memories of level "mine"'],
    ['lore sync signer', 'print your line for .lore/allowed_signers'],
    ['lore sync git', 'new commits on this branch since the last sync'],
    ['lore sync git --since 1y --dry-run', 'preview a year of history'],
  ],
  async run(invocation) {
    const [verb = '', ...words] = invocation.words;
    if (verb === 'git') return importCommits(invocation);
    const { syncLogCommand, syncNow, syncPurge, syncStatus } = await import('../sync-shared.ts');
    const { syncKey, syncSigner } = await import('../sync-keys.ts');
    const shared = { now: syncNow, status: syncStatus, log: syncLogCommand, purge: syncPurge };
    const run = { ...shared, key: syncKey, signer: syncSigner }[verb];
    const app = await startOnce({ flags: invocation.flags });
    try {
      return await (run as typeof syncNow)(app, { ...invocation, words });
    } finally {
      await app.stop();
    }
  },
};

async function importCommits({ options, flags, output }: Invocation): Promise<number> {
  const limit = readLimit(options.limit);
  const dryRun = options['dry-run'] === true;
  const app = await startOnce({ flags });
  const bar = createBar();
  try {
    const args = { since: options.since, limit, dry_run: dryRun };
    const synced = await app.registry.perform('sync', [dryRun ? 'recall' : 'learn'], args, async () => {
      const scope = { ...(await app.folders.open(localCaller)), actor: 'sync git' };
      const { readSince, syncGit } = await import('../../services/memory/git/git-sync.ts');
      const since =
        options.since === undefined ? undefined : readSince(String(options.since), scope.opened.graph.now());
      const report = (done: number, total: number) => bar.show(done, total, 'commits');
      return syncGit(scope, { since, limit, dryRun, report });
    });
    bar.clear();
    if (output.json) output.printJson(synced);
    else {
      const { describeSynced } = await import('../../services/memory/git/git-describe.ts');
      output.print(describeSynced(synced));
    }
    return 0;
  } finally {
    bar.clear();
    await app.stop();
  }
}

function readLimit(given: unknown): number | undefined {
  if (given === undefined) return undefined;
  const limit = Number(given);
  if (Number.isSafeInteger(limit) && limit > 0) return limit;
  throw new LoreError('invalid_input', `Cannot sync "${given}" commits: expected a number`);
}
