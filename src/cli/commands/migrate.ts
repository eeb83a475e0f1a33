// lore migrate
import type { Command } from '../../core/command.ts';
import { describeLocation } from '../../core/location.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Copy the graph from one database into another, of either kind.',
  usage: '<from> <to>',
  examples: [
    ['lore migrate ~/.local/share/lorekeeper/lore.db postgres://lore@db/lore', 'from SQLite to PostgreSQL'],
    ['lore migrate postgres://lore@db/lore lore.db', 'and back'],
  ],
  async run({ words, output }) {
    const [from = '', to = ''] = words;
    const [{ openGraph }, { exportLines, importLines }] = await Promise.all([
      import('../../graph/open.ts'),
      import('../../graph/dump.ts'),
    ]);
    const source = await openGraph(from);
    const target = await openGraph(to).catch(async (error: unknown) => {
      await source.close();
      throw error;
    });
    try {
      const rows = await importLines(target.store, exportLines(source.store));
      const indexed = await target.graph.reindex();
      if (output.json) output.printJson({ rows, indexed });
      else output.print(`${rows} rows copied to ${describeLocation(to)}, ${indexed} nodes indexed`);
      return 0;
    } finally {
      await Promise.all([source.close(), target.close()]);
    }
  },
};
