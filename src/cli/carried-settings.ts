// Settings from this environment that the entry of a client needs, because the client starts the server without them.
import { resolve } from 'node:path';
import { loadConfig, variablesInForce } from '../config/load.ts';
import { settingRows } from '../config/settings.ts';
import { defaultLocation, describeLocation } from '../core/location.ts';

export interface CarriedSettings {
  /** By the name of the variable, with absolute paths. */
  env: Record<string, string>;
  /** Variables with a secret, which belongs into the settings file. */
  secret: string[];
  /** The project that the person named, if any. */
  project?: string;
}

const files = ['LORE_CONFIG', 'LORE_DB', 'CONTEXTGRAPH_DB'];

export async function findCarried(): Promise<CarriedSettings> {
  const { LORE_PROJECT, KUZU_MEMORY_PROJECT, ...variables } = variablesInForce();
  // Hooks are command lines, which other users can read.
  const isSecret = (value: string) => describeLocation(value) !== value;
  const entries = Object.entries(variables).filter(([, value]) => !isSecret(value));
  const env = Object.fromEntries(entries.map(([name, value]) => [name, files.includes(name) ? locate(value) : value]));
  const secret = [
    ...Object.keys(variables).filter((name) => !(name in env)),
    ...settingRows.flatMap(([, row]) => (row.secret && row.env && process.env[row.env] ? [row.env] : [])),
  ];
  const named = LORE_PROJECT ?? KUZU_MEMORY_PROJECT;
  if (named === undefined) return { env, secret };
  const project = await findFolder(named);
  return { env: { ...env, LORE_PROJECT: project }, secret, project };
}

function locate(file: string): string {
  return /^:memory:$|:\/\//.test(file) ? file : resolve(file);
}

async function findFolder(named: string): Promise<string> {
  const [{ createGraphAccess }, { chooseFolder }] = await Promise.all([
    import('../graph/access.ts'),
    import('../graph/project/named.ts'),
  ]);
  const access = createGraphAccess(loadConfig().values.db || defaultLocation());
  try {
    return await chooseFolder(access, named);
  } finally {
    await access.close();
  }
}
