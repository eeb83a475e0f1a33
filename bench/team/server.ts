// A server as `lore serve` runs it, but from the sources, so that the bench can replace a part of them.
import { createApp, createLog, loadConfig, serveHttp } from '../../src/index.ts';

const config = loadConfig();
const { url } = await serveHttp(await createApp({ config, log: createLog(config.values.log_level) }));
process.stdout.write(`${JSON.stringify({ url })}\n`);
