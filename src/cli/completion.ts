// Shell completion, derived from the commands and tools: their names, verbs, options and values. The scripts contain all of it,
// because starting the program at every key press would be slow.
import { agents } from '../agents/agents.ts';
import { settingRows } from '../config/settings.ts';
import type { Command } from '../core/command.ts';
import { describeOptions, firstSentence } from './help.ts';
import { usageForms } from './usage.ts';

type CompletedCommand = Omit<Command, 'run'>;

interface Completion {
  name: string;
  summary: string;
  /** Words after the name, and those after the first of them. */
  words: readonly string[];
  more: readonly string[];
  options: readonly { flag: string; help: string; takesValue: boolean; values: readonly string[] }[];
}

export const completionScripts = { bash: completeBash, zsh: completeZsh, fish: completeFish };

function describe(commands: readonly CompletedCommand[]): Completion[] {
  const names = commands.map(({ name }) => name);
  const choices: Record<string, readonly string[]> = {
    call: names,
    allow: names,
    install: agents.map(({ id }) => id),
    uninstall: agents.map(({ id }) => id),
  };
  const found = commands.map((command): Completion => {
    const verbs = usageForms(command).flatMap(({ verb }) => verb ?? []);
    return {
      name: command.name,
      summary: firstSentence(command.summary),
      words: choices[command.name] ?? verbs,
      more: command.name === 'config' ? settingRows.map(([key]) => key) : (choices[command.name] ?? []),
      options: describeOptions(command).flatMap(([text, help]) => {
        const [flag = '', value] = text.split(' ');
        if (!isPlain(flag)) return [];
        const values = (command.options?.[flag.slice(2)]?.choices ?? []).filter(isPlain);
        return [{ flag, help: firstSentence(help), takesValue: value !== undefined, values }];
      }),
    };
  });
  return [...found, { name: 'help', summary: 'Describe a command', words: names, more: [], options: [] }];
}

/** A shell would expand anything else. */
function isPlain(word: string): boolean {
  return /^[\w.:@+-]+$/.test(word);
}

/** For a shell: in single quotes. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function completeBash(commands: readonly CompletedCommand[]): string {
  const all = describe(commands);
  const cases = all.map(({ name, words, more, options }) => {
    const flags = options.map(({ flag }) => flag).join(' ');
    return `    ${name}) options=${quote(flags)} words=${quote(words.join(' '))} more=${quote(more.join(' '))} ;;`;
  });
  const values = all.flatMap(({ name, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map((option) => `    ${name}:${option.flag}) words=${quote(option.values.join(' '))} ;;`),
  );
  return `# bash completion for lore, written by: lore completion bash
_lore() {
  local cur=\${COMP_WORDS[COMP_CWORD]} options= words= more=
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac
  ((COMP_CWORD == 1)) && words=${quote(all.map(({ name }) => name).join(' '))} options='--help --version'
  ((COMP_CWORD > 2)) && words=$more
  case \${COMP_WORDS[1]}:\${COMP_WORDS[COMP_CWORD-1]} in
${values.join('\n')}
  esac
  [[ $cur == -* ]] && words=$options
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _lore lore lorekeeper`;
}

function completeZsh(commands: readonly CompletedCommand[]): string {
  const all = describe(commands);
  const cases = all.map(({ name, words, more, options }) => {
    const described = options.map(({ flag, help }) => quote(`${flag}:${help}`)).join(' ');
    return `    ${name}) flags=(${described}) first=(${words.join(' ')}) more=(${more.join(' ')}) ;;`;
  });
  const values = all.flatMap(({ name, options }) =>
    options
      .filter((option) => option.values.length > 0)
      .map((option) => `    ${name}:${option.flag}) compadd -- ${option.values.join(' ')}; return ;;`),
  );
  return `#compdef lore lorekeeper
# zsh completion for lore, written by: lore completion zsh
_lore() {
  local -a names flags first more
  names=(${all.map(({ name, summary }) => quote(`${name}:${summary}`)).join(' ')})
  if (( CURRENT == 2 )); then
    _describe -t commands command names
    return
  fi
  case \${words[2]} in
${cases.join('\n')}
  esac
  case "\${words[2]}:\${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o -t options option flags
    return
  fi
  (( CURRENT > 3 )) && first=($more)
  compadd -- $first
  _files
}
if [[ $funcstack[1] == _lore ]]; then _lore "$@"; else compdef _lore lore lorekeeper; fi`;
}

function completeFish(commands: readonly CompletedCommand[]): string {
  const all = describe(commands);
  const lines = all.flatMap(({ name, summary, words, more, options }) => {
    const seen = `-n '__fish_seen_subcommand_from ${name}'`;
    const offered = [...new Set([...words, ...more])].join(' ');
    return [
      `complete -c lore -f -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
      ...(offered === '' ? [] : [`complete -c lore ${seen} -a ${quote(offered)}`]),
      ...options.map(({ flag, help, takesValue, values }) => {
        const value = values.length > 0 ? ` -x -a ${quote(values.join(' '))}` : takesValue ? ' -r' : '';
        return `complete -c lore ${seen} -l ${flag.slice(2)}${value} -d ${quote(help)}`;
      }),
    ];
  });
  return [
    '# fish completion for lore, written by: lore completion fish',
    ...lines,
    'complete -c lorekeeper -w lore',
  ].join('\n');
}
