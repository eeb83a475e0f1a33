// The keychain of the system, by its own program: the Secret Service of Linux desktops and the keychain of macOS. Secrets are
// passed on stdin, because other users can see arguments, and in base64, because the programs handle plain text only.
import { LoreError } from './error.ts';
import { type Program, runProgram } from './program/program.ts';

interface KeychainProgram {
  program: string;
  store(account: string, secret: string): Pick<Program, 'args' | 'input'>;
  read(account: string): readonly string[];
  remove(account: string): readonly string[];
}

const service = 'lorekeeper';

const linux: KeychainProgram = {
  program: 'secret-tool',
  store: (account, secret) => ({
    args: ['store', `--label=Lorekeeper: ${account}`, 'service', service, 'account', account],
    input: secret,
  }),
  read: (account) => ['lookup', 'service', service, 'account', account],
  remove: (account) => ['clear', 'service', service, 'account', account],
};

const macos: KeychainProgram = {
  program: 'security',
  store: (account, secret) => ({
    args: ['-i'],
    input: `add-generic-password -U -s ${service} -a ${quote(account)} -w ${quote(secret)}\n`,
  }),
  read: (account) => ['find-generic-password', '-s', service, '-a', account, '-w'],
  remove: (account) => ['delete-generic-password', '-s', service, '-a', account],
};

const programs: { readonly [platform: string]: KeychainProgram } = { linux, darwin: macos };

export async function store(account: string, secret: string): Promise<void> {
  const { program, ...own } = findKeychain();
  const encoded = Buffer.from(secret).toString('base64');
  await run(program, own.store(account, encoded));
  // Some of these programs report success although nothing was stored.
  if ((await read(account)) !== secret) throw failed();
}

export async function read(account: string): Promise<string> {
  const { program, ...own } = findKeychain();
  const text = (await run(program, { args: own.read(account) })).trim();
  if (text === '') throw failed();
  return Buffer.from(text, 'base64').toString('utf8');
}

export async function remove(account: string): Promise<void> {
  const { program, ...own } = findKeychain();
  // It may have been removed with the system's own tools.
  await run(program, { args: own.remove(account), accepts: () => true });
}

function findKeychain(): KeychainProgram {
  const found = programs[process.platform];
  if (found) return found;
  throw new LoreError('unavailable', 'Cannot use the keychain: there is none that is supported on this system');
}

async function run(program: string, rest: Pick<Program, 'args' | 'input' | 'accepts'>): Promise<string> {
  try {
    return await runProgram({ program, action: 'use the keychain', timeoutMs: 120_000, silenceMs: 60_000, ...rest });
  } catch (error) {
    throw error instanceof LoreError && error.word !== 'unavailable' ? error : failed(program, error);
  }
}

function failed(program?: string, cause?: unknown): LoreError {
  const state = /not installed/.test((cause as Error | undefined)?.message ?? '')
    ? `"${program}" is not installed`
    : 'it is locked, or the entry was removed';
  return new LoreError('unavailable', `Cannot use the keychain: ${state}`, {
    hint: 'Unlock it, or enter the secret again without --keychain.',
    cause,
  });
}

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
