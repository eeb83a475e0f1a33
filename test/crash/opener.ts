// Opens each of the databases it is given when it is told to, as other processes do at the same moment.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { openGraph } from '../../src/graph/open.ts';

const lines = createInterface({ input: process.stdin });
for (const location of process.argv.slice(2)) {
  process.stdout.write('ready\n');
  await once(lines, 'line');
  const { countNodes, close } = await openGraph(location);
  await countNodes();
  await close();
}
process.exit(0);
