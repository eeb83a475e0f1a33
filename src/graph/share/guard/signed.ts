// The files of a team. Each is signed if its author has a key. Where the repository lists its signers, only what they signed counts,
// and unsigned files are not sent; without a list everybody counts who can push to the remote.
import { hashHex } from '../../../core/crypto.ts';
import { filterBatch, readBatch, signBatch, writeBatch } from '../batch.ts';
import { msOf } from '../clock.ts';
import type { SharedOp } from '../op.ts';
import type { BatchGuard, OpenedBatch } from './guard.ts';
import { readSigners, type SignerList, signersFile } from './signers.ts';
import type { SigningKey } from './ssh-key.ts';
import { findSigningKey, fingerprint } from './ssh-signature.ts';

export interface TeamTrust {
  /** The text of the list of signers; undefined if the repository has none. */
  signers?: string | undefined;
  signing?: SigningKey | undefined;
  /** Why the user's key cannot be used. */
  problem?: string | undefined;
  now: number;
}

export function createTeamGuard({ signers, signing, problem, now }: TeamTrust): BatchGuard {
  const list = signers === undefined ? undefined : readSigners(signers);
  return {
    id: signers === undefined ? '' : hashHex(signers).slice(0, 16),
    problems: list?.problems ?? [],
    mark: () => (signing ? fingerprint(signing.key) : ''),
    refusal() {
      if (problem !== undefined) return problem;
      if (!list) return undefined;
      if (!signing) return `${signersFile} lists who may share, and no signing_key is set`;
      const isListed = list.find(signing.key, now) !== undefined;
      return isListed
        ? undefined
        : `your key ${fingerprint(signing.key)} is not in ${signersFile} of the default branch`;
    },
    seal: async (batch) => (signing ? signBatch(batch, signing.sign) : writeBatch(batch)),
    open: (path, text) => open(path, text, list),
    filter: (_, text, isKept) => filterBatch(text, isKept),
  };
}

function open(path: string, text: string, list: SignerList | undefined): OpenedBatch {
  const { ops, signed, problem } = readBatch(path, 'team', text);
  const key = signed && findSigningKey(signed.message, signed.signature);
  const mark = key === undefined ? '' : fingerprint(key);
  const rest = { mark, ...(problem !== undefined && { problem }) };
  if (signed && key === undefined) return { ops: [], strangers: ops, mark, problem: 'its signature is not valid' };
  if (!list) return { ops, strangers: [], ...rest };
  if (key === undefined)
    return { ops: [], strangers: ops, mark, problem: `it is not signed, as ${signersFile} demands` };
  const counted: SharedOp[] = [];
  const strangers: SharedOp[] = [];
  for (const op of ops) {
    const signer = list.find(key, msOf(op.at));
    if (signer === undefined) strangers.push(op);
    else counted.push({ ...op, signer });
  }
  if (strangers.length > 0) rest.problem = `the key ${mark} that signed it is not in ${signersFile}`;
  return { ops: counted, strangers, ...rest };
}
