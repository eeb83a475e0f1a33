// The user's SSH key. Signing is left to ssh-keygen, which knows agents and keys in hardware; a key with a passphrase needs an agent,
// because nobody can be asked here.
import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { LoreError } from '../../../core/error.ts';
import { cleanEnvironment, runProgram } from '../../../core/program/program.ts';
import { readSmall } from '../../git/files.ts';
import { signatureNamespace, typeOfKey } from './ssh-signature.ts';

export interface SigningKey {
  /** The public key, in base64. */
  key: string;
  /** The signature of a text, in base64. */
  sign(text: string): Promise<string>;
}

export const keyHint =
  'Set signing_key to the path of an SSH key with its .pub file beside it, e.g. ~/.ssh/id_ed25519, in the file that lore config names.';

/** `file` is the private key, or the public one if an agent has the private one. */
export function openSigningKey(file: string): SigningKey {
  const path = file.replace(/^~(?=[\\/])/, homedir());
  const publicFile = path.endsWith('.pub') ? path : `${path}.pub`;
  if (!existsSync(publicFile)) {
    throw new LoreError('not_found', `Cannot sign: there is no public key "${publicFile}"`, {
      hint: keyHint,
    });
  }
  const [type = '', key = ''] = readSmall(publicFile).trim().split(/\s+/);
  if (type === '' || typeOfKey(key) !== type)
    throw new LoreError('invalid_input', `Cannot sign: "${publicFile}" is not an SSH public key`, { hint: keyHint });
  return { key: Buffer.from(key, 'base64').toString('base64'), sign: (text) => sign(path, text) };
}

async function sign(path: string, text: string): Promise<string> {
  const agent = process.env.SSH_AUTH_SOCK;
  const armored = await runProgram({
    program: 'ssh-keygen',
    args: ['-Y', 'sign', '-q', '-n', signatureNamespace, '-f', path],
    action: `sign with "${path}"`,
    folder: tmpdir(),
    input: text,
    env: { ...cleanEnvironment(), SSH_ASKPASS_REQUIRE: 'never', ...(agent && { SSH_AUTH_SOCK: agent }) },
    explain: (_, complaint) =>
      new LoreError('unavailable', `Cannot sign with "${path}": ssh-keygen refused`, {
        hint: 'A key with a passphrase needs an agent (ssh-add), and servers need its SSH_AUTH_SOCK. Plug in a key in hardware.',
        cause: new Error(complaint),
      }),
  });
  return armored.replace(/-----[A-Z ]+-----|\s/g, '');
}
