// lore sync key and signer: what the user's other machines need to read along, and what a team needs to know whose memories count.
import { tmpdir } from 'node:os';
import type { App } from '../app.ts';
import type { Invocation } from '../core/command.ts';
import { LoreError } from '../core/error.ts';
import { askGit } from '../graph/git/git.ts';
import { openGuardKeys, setGuardKey, writeKey } from '../graph/share/guard/keys.ts';
import { signersFile } from '../graph/share/guard/signers.ts';
import { keyHint, openSigningKey } from '../graph/share/guard/ssh-key.ts';
import { signatureNamespace, typeOfKey } from '../graph/share/guard/ssh-signature.ts';
import { readSecret } from './secret.ts';

type KeyInvocation = Pick<Invocation, 'options' | 'output'>;

export async function syncKey(app: App, { options, output }: KeyInvocation): Promise<number> {
  const { folder } = app.sync;
  if (options.set === true) {
    const key = await readSecret('the key that lore sync key prints on your other machine');
    await app.registry.perform('sync', ['memory_share'], { key: true }, () => setGuardKey(folder, key));
    if (output.json) output.printJson({ set: true });
    else output.print('This machine has the key now. Run lore sync now.');
    return 0;
  }
  const [current] = (await openGuardKeys(folder)).keys;
  if (!current) {
    throw new LoreError('not_found', 'Cannot print the key: this machine has none yet', {
      hint: 'The first lore sync now --level mine creates it, or set that of your other machine: lore sync key --set',
    });
  }
  const key = writeKey(current);
  if (output.json) output.printJson({ key });
  else output.print(key);
  if (!output.json)
    output.note('Whoever has it can read the memories of level "mine". On your other machine: lore sync key --set');
  return 0;
}

export async function syncSigner(app: App, { output }: KeyInvocation): Promise<number> {
  const file = app.sync.signingKey();
  if (file === '') {
    throw new LoreError('invalid_input', 'Cannot print a line for the list of signers: no signing_key is set', {
      hint: keyHint,
    });
  }
  const { key } = openSigningKey(file);
  const email = await askGit(tmpdir(), ['config', '--global', '--get', 'user.email']);
  const name = /^[^\s,"*?!]+$/.test(email ?? '') ? email : 'NAME';
  const line = `${name} namespaces="${signatureNamespace}" ${typeOfKey(key)} ${key}`;
  if (output.json) output.printJson({ line });
  else output.print(line);
  if (!output.json)
    output.note(`Add it to ${signersFile} and merge that: from then on, only memories signed by a listed key count.`);
  return 0;
}
