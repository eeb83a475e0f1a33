// lore sync

import { localCaller } from '../../core/call.ts';
import type { Command } from '../../core/command.ts';
import { LoreError } from '../../core/error.ts';
import { createBar } from '../follow.ts';
import { startOnce } from '../start.ts';

export const sync: Command = {
  name: 'sync',
  summary:
    "Import new commits of the project's git history: changes, fixes, reverts, merges, and the reasons for them.",
  usage: 'git',
  options: {
    since: {
      type: 'string',
      value: 'time',
      help: 'Start of the range, e.g. 2026-01-31, 90d, "two months ago"; default: the last sync',
    },
    limit: { type: 'string', value: 'number', help: 'Maximum number of commits, newest first (default 20000)' },
    'dry-run': { type: 'boolean', help: 'Show what would be stored, and store nothing' },
  },
  examples: [
    ['lore sync git', 'new commits on this branch since the last sync'],
    ['lore sync git --since 1y --dry-run', 'preview a year of history'],
  ],
  async run({ options, flags, output }) {
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
  },
};

function readLimit(given: unknown): number | undefined {
  if (given === undefined) return undefined;
  const limit = Number(given);
  if (Number.isSafeInteger(limit) && limit > 0) return limit;
  throw new LoreError('invalid_input', `Cannot sync "${given}" commits: expected a number`);
}
