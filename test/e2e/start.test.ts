// A server greets before its services are loaded. A client must not notice.
import { describe, expect, it } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { runLore } from '../support/lore.ts';

const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

async function talk(requests: readonly object[], env: Record<string, string> = {}) {
  const lines = requests.map((request, id) => JSON.stringify({ jsonrpc: '2.0', id, ...request }));
  const home = createFolder('start');
  const { stdout } = await runLore(['stdio'], { env: { HOME: home, ...env }, input: `${lines.join('\n')}\n` });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('a server that has just started', () => {
  it('answers all that was sent before the input ended, and announces no change', async () => {
    const answers = await talk([initialize, { method: 'tools/list' }, { method: 'ping' }, { method: 'prompts/list' }]);
    expect(answers.map(({ id }) => id).sort()).toEqual([0, 1, 2, 3]);
    const tools = answers.find(({ id }) => id === 1).result.tools.map(({ name }: { name: string }) => name);
    expect(tools).toContain('recall');
    expect(answers.find(({ id }) => id === 3).result.prompts.length).toBeGreaterThan(0);
  });

  it.each([{}, { LORE_DISABLED_SERVICES: 'repo,system' }])(
    'answers before loading as it does later, with %o',
    async (env) => {
      const load = { method: 'tools/call', params: { name: 'status', arguments: {} } };
      const answers = await talk([initialize, load, { method: 'tools/list' }], env);
      const [early, , listed] = [0, 1, 2].map((id) => answers.find((answer) => answer.id === id).result);
      const { instructions } = early;
      const services = instructions
        .split('\n')
        .slice(1)
        .map((line: string) => line.split(':')[0]);
      const status = JSON.stringify(answers.find(({ id }) => id === 1).result);
      for (const service of services) expect(status).toContain(service);
      expect(services.includes('repo')).toBe(listed.tools.some(({ name }: { name: string }) => name === 'search_code'));
    },
  );
});
