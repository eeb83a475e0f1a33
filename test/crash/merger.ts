// Merges into a few memories that others merge into at the same time: each write adds a tag and a source, and some set an
// expiry. Prints the number of a write when it has been acknowledged.
import { identifyFolder } from '../../src/graph/project/project.ts';
import { openFolder } from '../../src/graph/project/scope.ts';
import { storeMemory } from '../../src/services/memory/store-memory.ts';
import { expiryOf, statementOf, tagOf } from './merges.ts';
import { openPatiently } from './open-patiently.ts';

const [location, writer, from, to] = process.argv.slice(2) as [string, string, string, string];

const opened = await openPatiently(location);
const scope = await openFolder(opened, identifyFolder(process.cwd()), { actor: writer, others: 'off', granting: true });
for (let number = Number(from); number < Number(to); number++) {
  const tag = tagOf(writer, number);
  await storeMemory(scope, {
    text: statementOf(number),
    tags: [tag],
    source: `source ${tag}`,
    expiresAt: expiryOf(writer, number),
  });
  process.stdout.write(`${number}\n`);
}
await opened.close();
