// lore completion
import type { Command } from '../../core/command.ts';

export const completion: Command = {
  name: 'completion',
  summary: 'Print a script that completes commands and options in a shell.',
  usage: 'bash | zsh | fish',
  examples: [
    ['source <(lore completion bash)', 'in ~/.bashrc'],
    ['source <(lore completion zsh)', 'in ~/.zshrc, after compinit'],
    ['lore completion fish > ~/.config/fish/completions/lore.fish', 'once'],
  ],
  async run({ words, output }) {
    const { completionScripts } = await import('../completion.ts');
    const { withApp, allCommands } = await import('../find-command.ts');
    const commands = await withApp('silent', allCommands);
    output.print(completionScripts[words[0] as keyof typeof completionScripts](commands));
    return 0;
  },
};
