// Opens the database of its first argument with the endpoint of its second, and embeds until it is killed.
import { openGraph } from '../../src/graph/open.ts';

const [location, url] = process.argv.slice(2) as [string, string];

await openGraph(location, { endpoint: { url, model: 'far', key: '', dimensions: 0, timeoutMs: 2_000 } });
setInterval(() => {}, 1_000_000);
