// lore token

import { randomBytes } from 'node:crypto';
import { changeSettings, type SettingChange } from '../../config/change-settings.ts';
import { loadConfig } from '../../config/load.ts';
import type { Command } from '../../core/command.ts';
import { LoreError } from '../../core/error.ts';

export const tokenCommand: Command = {
  name: 'token',
  summary: 'Print the token for HTTP clients; create it if there is none. Running servers apply changes at once.',
  options: {
    replace: { type: 'boolean', help: 'Create a new token; the old one becomes invalid' },
    remove: { type: 'boolean', help: 'Delete the token' },
    require: { type: 'boolean', help: 'Require the token from every program' },
    optional: { type: 'boolean', help: 'Do not require the token from your own programs on loopback (the default)' },
  },
  examples: [
    ['lore token', 'print it, and how clients send it'],
    ['lore token --require', 'refuse every program that does not send it'],
    ['lore token --replace', 'invalidate a token that has leaked'],
  ],
  run({ options, output }) {
    const chosen = ['replace', 'remove', 'require', 'optional'].filter((name) => options[name] === true);
    if (chosen.length > 1) {
      throw new LoreError('invalid_input', `Use only one of ${chosen.map((name) => `--${name}`).join(' and ')}`);
    }
    const [choice] = chosen;
    if (choice === 'remove') {
      const { file, changed } = changeSettings([{ path: ['token'] }, { path: ['token_required'] }]);
      if (output.json) output.printJson({ file, changed });
      else output.print(`${changed ? 'Removed the token.' : 'There was no token.'}\n${output.dim(file)}`);
      return 0;
    }
    const isNew = choice === 'replace' || loadConfig().values.token === '';
    const changes: SettingChange[] = isNew ? [{ path: ['token'], value: randomBytes(32).toString('base64url') }] : [];
    if (choice === 'require') changes.push({ path: ['token_required'], value: true });
    if (choice === 'optional') changes.push({ path: ['token_required'] });
    const { file } = changeSettings(changes, { isPrivate: true });
    const { token, token_required } = loadConfig().values;
    if (output.json) output.printJson({ file, token, created: isNew, required: token_required });
    else {
      output.print(token);
      output.note(describeUse(file, token_required));
    }
    return 0;
  },
};

/** On stderr, so that "$(lore token)" is only the token. */
function describeUse(file: string, isRequired: boolean): string {
  return [
    '',
    'Clients send it as a header: Authorization: Bearer <token>',
    '  Claude Code   claude mcp add -t http lorekeeper <url> --header "Authorization: Bearer $(lore token)"',
    '  curl          curl -H "Authorization: Bearer $(lore token)" …',
    isRequired
      ? 'Every program needs it.'
      : 'Other users of this machine, and programs on other machines, need it. Your own programs on loopback do not.',
    `It is stored in ${file}.`,
  ].join('\n');
}
