// The program of an exported server: serves the tools of one source on standard input and output. Everything about the source is
// data in the folder beside it; nothing of a document is ever code.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCredentialStore } from './core/credential.ts';
import { createSecretId } from './core/id.ts';
import { createLog } from './core/log.ts';
import { type PermissionLevel, permissionLevels } from './core/registry/permission.ts';
import { Registry } from './core/registry/registry.ts';
import { Protocol } from './protocol/protocol.ts';
import { createAloneService } from './services/forge/alone.ts';
import { dataFolder } from './services/forge/export/layout.ts';
import { SourceStore } from './services/forge/source/store.ts';
import { defaultPinBudget } from './services/forge/surface/pinned.ts';
import { serveStdio } from './transport/stdio.ts';

const own = dirname(fileURLToPath(import.meta.url));
const folder = join(own, dataFolder);
const { name, title } = readSource();
const given = process.env.LORE_PERMISSION as PermissionLevel;
const level = permissionLevels.includes(given) ? given : 'read';
const limits = {
  callTimeoutMs: 120_000,
  rateLimit: 600,
  maxResultBytes: 16 * 1024 * 1024,
  max_message_bytes: 32 * 1024 * 1024,
};
const answers = join(tmpdir(), `${name}-answers-${createSecretId()}`);

const log = createLog('error');
const registry = new Registry({ readOnly: false, permissions: { [name]: level }, ...limits }, log);
const service = createAloneService({
  names: [name],
  title,
  folder,
  answers,
  open: async () => forge,
  folders: { list: async () => ({ folder: process.cwd(), tops: [process.cwd()] }) },
  policy: () => registry.rules,
  explain: (needed) => `set the variable LORE_PERMISSION to ${needed}`,
  pinBudget: () => defaultPinBudget,
});
const forge = { sources: new SourceStore(folder), credentials: createCredentialStore(folder) };
let loading: Promise<void> | undefined;
const load = () => {
  loading ??= registry.register(service, { quiet: true });
  return loading;
};
const protocol = new Protocol(
  registry,
  {
    name,
    title,
    version: readVersion(),
    instructions: () => service.summary,
    pageSize: 1_000,
    structured: false,
    load,
  },
  log,
);

await serveStdio(
  { protocol, log, config: { values: limits }, stop: () => registry.stop() },
  { input: process.stdin, output: process.stdout },
);
rmSync(answers, { recursive: true, force: true });
process.exit(0);

function readSource(): { name: string; title: string } {
  const file = readdirSync(folder).find((one) => one.endsWith('.source.json')) as string;
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}

function readVersion(): string {
  return JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')).version;
}
