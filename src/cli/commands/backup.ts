// lore backup

import type { Command } from '../../core/command.ts';
import { LoreError } from '../../core/error.ts';
import { recordCopy } from '../../graph/purge/copy.ts';
import { makePrivate } from '../../store/private-file.ts';
import { sql } from '../../store/sql.ts';
import { startOnce } from '../start.ts';
import { checkTarget } from '../target-file.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'Copy the SQLite database to a file; servers can keep using it.',
  usage: '<file>',
  examples: [['lore backup lore-backup.db', 'a copy that LORE_DB can point to']],
  async run({ words, flags, output }) {
    const [file = ''] = words;
    checkTarget(file);
    const app = await startOnce({ flags });
    try {
      if (app.graph.engine !== 'sqlite') {
        throw new LoreError('invalid_input', `Cannot back up ${app.graph.location}: it is not a SQLite database`, {
          hint: 'Use lore export, or pg_dump for PostgreSQL.',
        });
      }
      const { store } = await app.graph.open();
      await recordCopy(store, file, 'backup');
      makePrivate(file);
      await store.run(sql`vacuum into ${file}`);
      output.print(file);
      return 0;
    } finally {
      await app.stop();
    }
  },
};
