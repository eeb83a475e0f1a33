// Writes numbered memories one after another into the database of its first argument, and says each on stdout when it has
// been acknowledged. Started again after a kill, it goes on with the number it is given.
import { LoreError } from '../../src/core/error.ts';
import { openPatiently } from './open-patiently.ts';

const [location, writer, from, to] = process.argv.slice(2) as [string, string, string, string];

const { graph, close } = await openPatiently(location);
for (let number = Number(from); number < Number(to); number++) {
  const id = `${writer}-${number}`;
  try {
    await graph.put(
      [{ id, project: 'p', kind: 'memory', text: `Writer ${writer} wrote fact${number} in src/f${number}.ts.` }],
      writer,
    );
  } catch (error) {
    // Committed just before a kill, and not yet acknowledged: it is there, and that is what matters.
    const resumed = number === Number(from);
    if (!resumed || !(error instanceof LoreError) || error.word !== 'conflict') throw error;
  }
  process.stdout.write(`${number}\n`);
}
await close();
