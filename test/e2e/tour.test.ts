// The README's tour, line by line, as a new user runs it: a fresh home, a small project, the built program on the PATH.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '../support/bundle.ts';
import { createFolder } from '../support/folder.ts';

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const tour = (readme.split('## A quick tour\n\n```sh\n')[1] ?? '').split('```')[0]?.trim().split('\n') ?? [];
const modelText = /<lore-data|What follows is data|\bcursor \S/;

function createProject(): string {
  const folder = createFolder('tour');
  const files: Record<string, string> = {
    'package.json': '{"scripts":{"test":"node test.js"}}',
    'test.js': "throw new Error('connect ECONNREFUSED 127.0.0.1:5432');\n",
    'retry.js':
      '/** Decides whether a request is retried. */\nexport function shouldRetry(count) { return count < 6; }\n',
    'notes.md': 'We decided to use pnpm for all packages.\n',
    'openapi.yaml':
      'openapi: 3.1.0\ninfo: {title: Petstore, version: 1.0.0}\nservers: [{url: http://127.0.0.1:1}]\npaths: {/pets: {get: {operationId: listPets, responses: {}}}}\n',
    'MEMORY.md': '- The staging server runs on port 9443.\n',
    '.claude/skills/release/SKILL.md': '---\nname: release\ndescription: Release a package\n---\nRun npm publish.\n',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], { cwd: folder });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'feat: retry requests, because the gateway drops some');
  return folder;
}

// The tour is written for a POSIX shell.
it.skipIf(process.platform === 'win32')(
  'tour: every line of the README works in a fresh home',
  async () => {
    expect(tour.length).toBeGreaterThan(15);
    const cwd = createProject();
    const [home, bin] = [createFolder('home'), createFolder('bin')];
    writeFileSync(join(bin, 'lore'), `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'bin/lore.cjs')}" "$@"\n`, {
      mode: 0o755,
    });
    const env = { PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: home, LORE_PORT: '0' };
    const problems: string[] = [];
    let [id, origin, recalled] = ['', '', ''];
    for (const line of tour) {
      const command = line
        .replace(/\s+#.*$/, '')
        .replace(/\bID\b/, id)
        .replace('http://127.0.0.1:8081', origin);
      if (command.endsWith('&')) {
        const server = spawn('sh', ['-c', `exec ${command.slice(0, -1)}`], { cwd, env });
        onTestFinished(async () => {
          server.kill();
          await once(server, 'exit');
        });
        const [greeting] = (await once(createInterface(server.stdout), 'line')) as [string];
        origin = /http:\/\/[^/]+/.exec(greeting)?.[0] ?? '';
        continue;
      }
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd, env, encoding: 'utf8' });
      if (status !== 0 || stdout.trim() === '' || modelText.test(stdout))
        problems.push(`${command}\n${stdout}${stderr}`);
      id = /\bn_\w+/.exec(stdout)?.[0] ?? id;
      if (line.startsWith('lore recall')) recalled = stdout;
    }
    expect(problems).toEqual([]);
    expect(recalled).toContain('Deploys go out on Tuesdays.');
  },
  120_000,
);
