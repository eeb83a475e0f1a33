// Calls of tools that the forge made: found by a search, pinned to the list, and of an exported server.
import { join } from 'node:path';
import { runChild } from './child.mjs';

/** Adds the API for the client's user, and returns the calls that use it. */
export async function forge(entry, { cwd, home, path, url }) {
  const env = { PATH: path, HOME: home };
  const out = join(home, 'petstore-mcp');
  for (const args of [
    ['add', 'petstore', url],
    ['pin', 'petstore', 'list_pets'],
    ['export', 'petstore', '--out', out],
  ]) {
    const end = await runChild(process.execPath, [entry, 'forge', ...args], { cwd, env, timeoutMs: 60_000 });
    if (end.code !== 0) throw new Error(`Cannot run lore forge ${args.join(' ')}: ${end.text}`);
  }
  const fenced = /data returned by an API.*\n<(lore-data-\w+)>\n\[petstore_list_pets · .*\]\n\| .*"Rex".*\n<\/\1>/;
  const pinned = { tool: 'petstore_list_pets', input: {}, expect: 'Rex', sees: fenced };
  return [
    { name: 'find a forged tool', tool: 'tool_find', input: { queries: ['all pets'] }, expect: 'petstore_list_pets' },
    {
      name: 'call a forged tool',
      tool: 'tool_read',
      input: { name: 'petstore_list_pets' },
      expect: 'Rex',
      sees: fenced,
    },
    { name: 'call a pinned tool', ...pinned },
    { name: 'call an exported server', ...pinned, command: [process.execPath, join(out, 'server.mjs')] },
  ];
}
