// Shell completion: the script that `lore completion` prints, run in the shell itself.
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { runLore } from '../support/lore.ts';

const has = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

describe('completion', () => {
  const folder = createFolder('completion');
  const script = (shell: string) => join(folder, shell);

  beforeAll(async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, stdout } = await runLore(['completion', shell]);
      expect({ shell, code }).toEqual({ shell, code: 0 });
      writeFileSync(script(shell), stdout);
    }
  });

  // Shells other than bash may be missing on the machine.
  it.skipIf(!has('bash'))('completes commands, verbs, options and their values in bash', () => {
    const complete = (...words: string[]) => {
      const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lore; echo "\${COMPREPLY[*]}"`;
      return execFileSync('bash', ['-c', program, 'bash', script('bash'), ...words], { encoding: 'utf8' }).trim();
    };
    const cases: [string[], string][] = [
      [['lore', 'reca'], 'recall'],
      [['lore', 'skill', ''], 'import export'],
      [['lore', 'install', 'claude'], 'claude-code claude-desktop'],
      [['lore', 'recall', 'x', '--li'], '--limit'],
      [['lore', 'search_code', 'x', '--mode', 'sem'], 'semantic'],
      [['lore', 'config', 'set', 'log_'], 'log_level'],
      [['lore', 'recall', '--limit', ''], ''],
      [['lore', 'help', 'checkpoint_r'], 'checkpoint_resume'],
    ];
    expect(cases.map(([words]) => [words, complete(...words)])).toEqual(cases);
  });

  it.skipIf(!has('zsh'))('is valid in zsh', () => {
    execFileSync('zsh', ['-c', 'autoload -U compinit; compinit -u; source "$1"; whence _lore', 'zsh', script('zsh')]);
  });

  it.skipIf(!has('fish'))('is valid in fish', () => {
    const program = `source ${script('fish')}; complete -C "lore reca"`;
    expect(execFileSync('fish', ['-c', program], { encoding: 'utf8' })).toContain('recall');
  });
});
