// Resolves a call to a definition: in the same file, imported, or the only one of that name in the project. Ambiguous calls are
// skipped, because a wrong edge is worse than a missing one.
import { posix } from 'node:path';
import type { DerivedName } from '../../../../graph/derived/read.ts';

export interface CallSite {
  path: string;
  family: string;
  /** All definitions of a name in the project, by the name in lower case. */
  names: ReadonlyMap<string, readonly DerivedName[]>;
  /** Imported names: the files that may define them, and their original names. */
  imported: ReadonlyMap<string, { files: readonly string[]; original: string }>;
  /** Names for whole files. */
  aliases: ReadonlyMap<string, readonly string[]>;
  /** Files whose names can be used without an import. */
  open: ReadonlySet<string>;
}

/** Methods that every language's own things have: called on something unknown, they are hardly ever ours. */
const usual = new Set(
  `add all any append apply assign bind call catch clear clone close concat contains copy count create default delete
  each emit end entries equals error every execute exists extend fill filter finally find first flat flush forEach format
  from get group has hash includes index indexOf info init insert invoke isEmpty items iter join keys last length list load
  lock log main make map match merge min max name next none normalize notify on open parse peek pop post print push put
  query read reduce refresh register reject release remove render repeat replace request require reset resolve resume
  return reverse round run save search select send set setup shift size skip slice some sort split start stop submit
  substring sum then toString trim type unlock update upper validate value values wait warn watch with write`.split(
    /\s+/,
  ),
);

const itself = new Set(['this', 'self', 'cls', 'Self', 'super', 'static', 'parent', '$this']);

/** `owner` is the qualified name of the symbol that contains the call. */
export function resolveCall(
  name: string,
  on: string | undefined,
  owner: string,
  around: CallSite,
): DerivedName | undefined {
  const all = (around.names.get(name.toLowerCase()) ?? []).filter(
    (one) => one.name === name && one.family === around.family && one.kind !== 'field' && one.kind !== 'heading',
  );
  if (on === undefined) return resolvePlain(name, all, around);
  const [first = '', ...more] = on.split(/\.|::/);
  if (itself.has(first)) return more.length === 0 ? resolveOwn(all, owner, around) : undefined;
  const files = around.aliases.get(first) ?? around.imported.get(first)?.files;
  if (files) return only(all.filter(({ path }) => files.includes(path)));
  const typed = all.filter(({ qualified }) => qualified === `${on.replaceAll('::', '.')}.${name}`);
  if (typed.length > 0) return only(typed);
  if (usual.has(name) || name.length < 5) return undefined;
  return only(all);
}

function resolvePlain(name: string, all: readonly DerivedName[], around: CallSite): DerivedName | undefined {
  const { path, imported, open } = around;
  const from = imported.get(name);
  if (from) {
    const meant = from.original === 'default' ? name : from.original;
    const there = (around.names.get(meant.toLowerCase()) ?? []).filter((one) => one.name === meant);
    const found = there.filter((one) => from.files.includes(one.path));
    // A re-exported name is defined elsewhere.
    return found.length > 0 ? topmost(found) : from.files.length > 0 ? only(there) : undefined;
  }
  const free = all.filter(({ kind }) => kind !== 'method');
  const here = all.filter((one) => one.path === path);
  if (here.length > 0) return topmost(here);
  const beside = free.filter((one) => open.has(one.path));
  if (beside.length > 0) return only(beside);
  const folder = posix.dirname(path);
  if (around.family === 'go' || around.family === 'jvm') {
    const near = free.filter((one) => posix.dirname(one.path) === folder);
    if (near.length > 0) return only(near);
  }
  return name.length >= 4 ? only(free) : undefined;
}

function resolveOwn(all: readonly DerivedName[], owner: string, { path }: CallSite): DerivedName | undefined {
  const here = all.filter((one) => one.path === path);
  const type = owner.slice(0, Math.max(0, owner.lastIndexOf('.')));
  return here.find(({ qualified, name }) => qualified === `${type}.${name}`) ?? only(here.length > 0 ? here : all);
}

function only(found: readonly DerivedName[]): DerivedName | undefined {
  if (found.length === 1) return found[0];
  // One definition may have several parts: overloads, declarations under conditions.
  const [first] = found;
  return first && found.every(({ path, qualified }) => path === first.path && qualified === first.qualified)
    ? first
    : undefined;
}

function topmost(found: readonly DerivedName[]): DerivedName | undefined {
  return [...found].sort((a, b) => a.qualified.split('.').length - b.qualified.split('.').length)[0];
}
