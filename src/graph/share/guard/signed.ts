// The files of a team. Each is signed if its author has a key. Where the repository lists its signers, only what they signed counts,
// and unsigned files are not sent; without a list everybody counts who can push to the remote.
import { hashHex } from '../../../core/crypto.ts';
import { filterBatch, readBatch, signBatch, writeBatch } from '../batch.ts';
import { msOf } from '../clock.ts';
import type { BatchGuard, OpenedBatch, SendRefusal } from './guard.ts';
import { readSigners, type SignerList, signersFile } from './signers.ts';
import { keyHint, type SigningKey } from './ssh-key.ts';
import { findSigningKey, fingerprint } from './ssh-signature.ts';

export interface TeamTrust {
  /** The text of the list of signers; undefined if the repository has none. */
  signers?: string | undefined;
  signing?: SigningKey | undefined;
  /** Why the user's key cannot be used. */
  problem?: SendRefusal | undefined;
  now: number;
}

export function createTeamGuard({ signers, signing, problem, now }: TeamTrust): BatchGuard {
  const list = signers === undefined ? undefined : readSigners(signers);
  const own = signing ? fingerprint(signing.key) : '';
  const find = (keys: readonly string[], at: string) => {
    if (!list) return '';
    for (const key of keys) {
      const name = list.find(key, msOf(at));
      if (name !== undefined) return name;
    }
    return undefined;
  };
  return {
    id: signers === undefined ? '' : hashHex(signers).slice(0, 16),
    problems: list?.problems ?? [],
    mark: () => own,
    isOurs: (mark) => mark !== '' && mark === own,
    isOutdated(mark, times) {
      if (own === '' || mark === own) return false;
      // A key that was replaced still counts for its time, and the next one may not.
      return (
        !list ||
        (times.some((at) => find([mark], at) === undefined) && times.every((at) => find([own], at) !== undefined))
      );
    },
    judge: find,
    refusal() {
      if (problem !== undefined) return problem;
      if (!list) return undefined;
      if (!signing) return { reason: `${signersFile} lists who may share, and no signing_key is set`, hint: keyHint };
      const where = `${signersFile} of the default branch`;
      if (!list.has(own)) {
        return { reason: `your key ${own} is not in ${where}`, hint: `Add the line that lore sync signer prints.` };
      }
      if (list.find(own, now) !== undefined) return undefined;
      return {
        reason: `your key ${own} is not valid today, by ${where}`,
        hint: 'Correct its line, or sign with another.',
      };
    },
    seal: async (batch) => (signing ? signBatch(batch, signing.sign) : writeBatch(batch)),
    open: (path, text) => open(path, text, list),
    filter: filterBatch,
  };
}

function open(path: string, text: string, list: SignerList | undefined): OpenedBatch {
  const { ops, signed, problem } = readBatch(path, 'team', text);
  const key = signed && findSigningKey(signed.message, signed.signature);
  const mark = key === undefined ? '' : fingerprint(key);
  const rest = { mark, ...(problem !== undefined && { problem }) };
  if (problem !== undefined && ops.length === 0) return { ops, ...rest };
  if (signed && key === undefined) return { ops: [], mark, problem: 'its signature is not valid' };
  if (!list) return { ops, ...rest };
  if (key === undefined) return { ops: [], mark, problem: `it is not signed, as ${signersFile} demands` };
  const counted = ops.flatMap((op) => {
    const signer = list.find(mark, msOf(op.at));
    return signer === undefined ? [] : { ...op, signer };
  });
  if (counted.length < ops.length) {
    const is = list.has(mark) ? `was not valid at the time, by ${signersFile}` : `is not in ${signersFile}`;
    rest.problem = `the key ${mark} that signed it ${is}`;
  }
  return { ops: counted, ...rest };
}
