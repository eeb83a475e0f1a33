// A sync that is killed with SIGKILL at every one of its git commands, before and after the command did its work, with the real
// command line. After the next sync nothing is lost, nothing is there twice, and the remote is sound.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createFolder, removeFolders } from '../../test/support/folder.ts';
import { createRemote, git } from '../../test/support/share.ts';

export async function run({ root }: { root: string }) {
  const remote = createRemote();
  const wrapper = createFolder('wrapper');
  const count = join(wrapper, 'count');
  const real = spawnSync('sh', ['-c', 'command -v git']).stdout.toString().trim();
  const create = (name: string) => {
    const [home, folder] = [createFolder(`home-${name}`), join(createFolder('clone'), 'shop')];
    mkdirSync(folder);
    git(folder, 'init', '-q');
    git(folder, 'remote', 'add', 'origin', remote);
    const env = {
      PATH: `${wrapper}${delimiter}${process.env.PATH}`,
      HOME: home,
      LORE_RANK: 'fast',
      LORE_DB: join(home, 'lore.db'),
    };
    return (...args: string[]) =>
      spawnSync(process.execPath, [join(root, 'bin/lore.cjs'), ...args], { cwd: folder, env, encoding: 'utf8' });
  };
  const [ann, bob] = [create('ann'), create('bob')];
  const lay = (killed: number, when: 'before' | 'after') => {
    writeFileSync(count, '0');
    const kill = `[ "$n" = ${killed} ] && kill -9 $PPID && exit 137`;
    const work = when === 'before' ? [kill, `exec '${real}' "$@"`] : [`'${real}' "$@"`, 's=$?', kill, 'exit $s'];
    const lines = ['#!/bin/sh', `n=$(($(cat '${count}') + 1)); echo $n > '${count}'`, ...work, ''];
    writeFileSync(join(wrapper, 'git'), lines.join('\n'), { mode: 0o755 });
  };
  lay(0, 'before');
  ann('sync', 'now', '--remote', 'origin');
  let [kills, commands, unsent] = [0, 1, 0];
  const texts: string[] = [];
  for (const when of ['before', 'after'] as const) {
    for (let killed = 1; killed <= commands; killed++) {
      const text = `The walrus sleeps ${when} ${killed}.`;
      const { id } = JSON.parse(ann('remember', text, '--json').stdout) as { id: string };
      ann('share', id, '--yes');
      texts.push(text);
      lay(killed, when);
      if (ann('sync', 'now').status === null) kills++;
      lay(0, 'before');
      const { synced } = JSON.parse(ann('sync', 'now', '--json').stdout) as { synced: { pending: number }[] };
      unsent += synced[0]?.pending ?? 1;
      commands = Math.max(commands, Number(readFileSync(count, 'utf8')));
    }
  }
  bob('sync', 'now', '--remote', 'origin');
  const { operations } = JSON.parse(bob('sync', 'log', '--limit', '1000', '--json').stdout) as {
    operations: { text: string }[];
  };
  const got = operations.map(({ text }) => text);
  const lost = texts.filter((text) => !got.includes(text)).length;
  const repeated = got.length - new Set(got).size;
  const isSound = spawnSync('git', ['fsck', '--strict'], { cwd: remote }).status === 0;
  removeFolders();
  return {
    commands,
    kills,
    shared: texts.length,
    unsent,
    lost,
    repeated,
    failed: unsent + lost + repeated + (isSound ? 0 : 1),
  };
}
