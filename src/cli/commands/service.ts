// lore service

import { changeSettings } from '../../config/change-settings.ts';
import { loadConfig } from '../../config/load.ts';
import type { Command, Invocation } from '../../core/command.ts';
import { LoreError } from '../../core/error.ts';
import { didYouMean } from '../../core/text/similar-names.ts';
import { alignColumns } from '../output.ts';
import { startOnce } from '../start.ts';

interface Row {
  id: string;
  group?: string;
  state: 'running' | 'failed' | 'disabled';
  tools: number;
  title: string;
  problem?: string;
}

export const service: Command = {
  name: 'service',
  summary: 'List, enable or disable services; install the HTTP server as a background service.',
  usage: '[list | enable <id> | disable <id> | install | uninstall | status]',
  settings: ['host', 'port'],
  options: { print: { type: 'boolean', help: 'With install: print what would be installed, and change nothing' } },
  examples: [
    ['lore service list', 'all services and their state'],
    ['lore service disable fs', 'remove its tools from all clients'],
    ['lore service enable fs', 'and add them again'],
    ['lore service disable system', 'eventlog, fs and reg at once'],
    ['lore service install', 'run lore serve in the background, from now on and at every login'],
    ['lore service uninstall', 'stop it, and start it no more'],
  ],
  async run(invocation) {
    const { words, output } = invocation;
    const [verb, id] = words;
    if (verb === 'install' || verb === 'uninstall' || verb === 'status') {
      const { runBackground } = await import('../background-service.ts');
      return runBackground(verb, invocation);
    }
    const rows = await readServices(invocation);
    if (id === undefined) {
      if (output.json) output.printJson(rows);
      else
        output.print(
          alignColumns(rows.map(({ id: name, state, tools, problem }) => [name, state, problem ?? `${tools} tools`])),
        );
      return 0;
    }
    const ids = rows.map((row) => row.id);
    const named = rows.filter((row) => row.id === id || row.group === id).map((row) => row.id);
    if (named.length === 0) {
      throw new LoreError('not_found', `Cannot ${verb} "${id}": there is no such service`, {
        hint: didYouMean(id, ids) ?? `Services: ${ids.join(', ')}.`,
      });
    }
    const disabled = loadConfig().values.disabled_services.flatMap((name) => {
      const members = rows.filter(({ group }) => group === name);
      return members.length > 0 ? members.map((row) => row.id) : name;
    });
    const others = disabled.filter((name) => !named.includes(name));
    const next = verb === 'enable' ? others : [...new Set([...disabled, ...named])];
    const value = next.length === 0 ? undefined : next;
    const { file, changed } = changeSettings([{ path: ['disabled_services'], value }]);
    if (output.json) output.printJson({ file, changed });
    else {
      const message = changed ? `${id} is ${verb}d. Running servers apply it at once.` : `${id} was ${verb}d already.`;
      output.print(`${message}\n${output.dim(file)}`);
    }
    return 0;
  },
};

async function readServices({ flags }: Invocation): Promise<Row[]> {
  const app = await startOnce({ flags }, 'silent');
  try {
    const running = new Map(app.registry.services().map((one) => [one.id, one]));
    return app.offered.map(({ id, group, title }) => {
      const { state = 'disabled', tools = 0, problem } = running.get(id) ?? {};
      return {
        id,
        ...(group !== undefined && { group }),
        state,
        tools,
        title,
        ...(problem !== undefined && { problem }),
      };
    });
  } finally {
    await app.stop();
  }
}
