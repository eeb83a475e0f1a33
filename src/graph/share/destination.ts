// Where the memories of a project go: a remote that a person chose for each level, by its name in the repository or by its address.
// Nothing is sent before that.
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { LoreError } from '../../core/error.ts';
import { findSecrets } from '../../core/secret/redact.ts';
import { inOneLine } from '../../core/text/terminal.ts';
import { sql } from '../../store/sql.ts';
import { readAddress } from '../git/address.ts';
import { parseGitConfig } from '../git/config.ts';
import { findGitDirectory, readRepository } from '../git/directory.ts';
import { hash, readSmall } from '../git/files.ts';
import { askGit } from '../git/git.ts';
import type { OpenGraph } from '../open.ts';
import { identifyFolder } from '../project/project.ts';
import type { Scope } from '../project/scope.ts';
import { type SharedLevel, sharedLevels } from './level.ts';
import { inLog } from './log.ts';
import { ShareRemote } from './remote.ts';

export interface ChosenRemote {
  level: SharedLevel;
  /** As the person named it. */
  remote: string;
  syncedAt: number;
}

export async function listRemotes({ store }: Pick<OpenGraph, 'store'>, project: string): Promise<ChosenRemote[]> {
  const rows = await store.all<{ level: SharedLevel; remote: string; synced_at: number }>(
    sql`select level, remote, synced_at from shared_remote where project = ${project}`,
  );
  const found = rows.map(({ synced_at, ...row }) => ({ ...row, syncedAt: Number(synced_at) }));
  return sharedLevels.flatMap((level) => found.filter((row) => row.level === level));
}

/** Records the choice, after the remote was found to be usable. */
export async function chooseRemote(scope: Scope, level: SharedLevel, remote: string): Promise<void> {
  locateRemote(scope, level, remote);
  const { project, opened } = scope;
  const log = { project: project.id, level };
  await opened.store.tx(
    async (tx) => {
      const before = await tx.one<{ remote: string }>(sql`select remote from shared_remote where ${inLog(log)}`);
      if (before?.remote === remote) return;
      // Another remote has nothing yet: everything is sent and read again.
      await tx.run(sql`update shared_op set batch = '' where ${inLog(log)} and op <> ''`);
      await tx.run(sql`delete from shared_op where ${inLog(log)} and op = ''`);
      await tx.run(sql`delete from shared_batch where ${inLog(log)}`);
      await tx.run(
        sql`insert into shared_remote (project, level, remote, tip, synced_at) values (${project.id}, ${level}, ${remote}, '', 0)
            on conflict (project, level) do update set remote = excluded.remote, tip = '', synced_at = 0`,
      );
    },
    { taken: async () => false },
  );
}

export function openRemote(
  scope: Scope,
  level: SharedLevel,
  remote: string,
  { folder, signal }: { folder: string; signal?: AbortSignal },
): ShareRemote {
  return new ShareRemote({ folder, signal, ...locateRemote(scope, level, remote) });
}

function locateRemote({ project }: Scope, level: SharedLevel, remote: string) {
  const found = project.root === '' ? undefined : findGitDirectory(project.root, new Map());
  const repository = found && readRepository(found, new Map());
  const written = repository?.remotes.get(remote) ?? remote;
  const format = repository && usesSha256(repository.common) ? ('sha256' as const) : ('sha1' as const);
  return { url: readUrl(written, repository?.root ?? project.root), ref: nameRef(project.root, level), format };
}

/** One repository of a user has the memories of many projects, so each has its own reference there. */
function nameRef(root: string, level: SharedLevel): string {
  if (level === 'team') return 'refs/lore/team/log';
  const { claim, isGit } = identifyFolder(root);
  if (!isGit || !claim.startsWith('git:')) {
    throw new LoreError('invalid_input', 'Cannot sync at level "mine": this project has no git remote', {
      hint: 'Its other clones are recognised by their remote. Add one, e.g. git remote add origin …',
    });
  }
  return `refs/lore/mine/${hash(claim)}/log`;
}

function usesSha256(common: string): boolean {
  const file = join(common, 'config');
  for (const { section, key, value } of parseGitConfig(readSmall(file), file)) {
    if (section === 'extensions' && key === 'objectformat') return value.toLowerCase() === 'sha256';
  }
  return false;
}

function readUrl(written: string, root: string): string {
  const isPath = isAbsolute(written) || /^\.{1,2}(?:\/|$)/.test(written);
  const path = resolve(root, written);
  if (!isPath) return readAddress(written).url;
  if (findSecrets(path).length > 0 || !existsSync(path)) {
    throw new LoreError('not_found', `Cannot use "${inOneLine(written)}": there is no such folder`);
  }
  return path;
}

const longestName = 100;

/** The name that the user gave git, for all repositories: those of one repository belong to its author. */
export async function readAuthor(): Promise<string> {
  const name = await askGit(tmpdir(), ['config', '--global', '--get', 'user.name']).catch(() => undefined);
  return inOneLine(name ?? '').slice(0, longestName);
}
