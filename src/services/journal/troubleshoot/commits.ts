// The last commits to the files that an error names, because the cause is often recent.
import { isAbsolute, relative } from 'node:path';
import { lookAt } from '../../../files/project-file.ts';
import { askGit } from '../../../graph/git/git.ts';
import type { ErrorEvidence } from './troubleshoot.ts';

const maxFiles = 12;
const maxCommits = 5;
const unit = '\u001f';
const record = '\u001e';

export async function findCommits(root: string, named: readonly string[]): Promise<ErrorEvidence['commits']> {
  const files = await findOwn(root, named);
  if (files.length === 0) return [];
  const format = `--format=${record}%H${unit}%aI${unit}%s`;
  const output = await askGit(root, ['log', `--max-count=${maxCommits}`, format, '--name-only', '-z', '--', ...files]);
  return (output ?? '')
    .split(record)
    .filter((part) => part !== '')
    .map((part) => {
      const [head = '', ...names] = part.split('\0').map((name) => name.trim());
      const [commit = '', date = '', subject = ''] = head.split(unit);
      return { commit, date, subject, files: names.filter((name) => files.includes(name)) };
    });
}

/** The files in the project, as git names them. */
async function findOwn(root: string, named: readonly string[]): Promise<string[]> {
  const within = named
    .map((name) => (isAbsolute(name) ? relative(root, name) : name))
    .filter((name) => !name.startsWith('..'));
  const looks = await Promise.all(
    [...new Set(within)].slice(0, maxFiles).map(async (name) => ({ name, look: await lookAt(root, name) })),
  );
  return looks.flatMap(({ name, look }) =>
    look && look !== 'gone' && !look.isFolder ? [name.replace(/^\.\//, '')] : [],
  );
}
