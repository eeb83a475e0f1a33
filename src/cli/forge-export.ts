// Exporting: `lore forge export` writes a source as a server of its own.
import { resolve } from 'node:path';
import type { Invocation } from '../core/command.ts';
import { LoreError } from '../core/error.ts';
import type { Forge } from '../services/forge/forge.ts';

export async function exportTo(
  forge: Forge,
  name: string,
  folder: string,
  { options, output }: Invocation,
): Promise<number> {
  if (typeof options.out !== 'string') {
    throw new LoreError('invalid_input', `Cannot export "${name}": --out is missing`, {
      hint: `lore forge export ${name} --out ${name}-mcp`,
    });
  }
  const [{ exportSource }, { PinStore }] = await Promise.all([
    import('../services/forge/export/write.ts'),
    import('../services/forge/surface/pins.ts'),
  ]);
  const out = resolve(options.out);
  const server = await exportSource(forge, name, { out, version: '1.0.0', pins: new PinStore(folder).list() });
  if (output.json) output.printJson({ ...server, out });
  else {
    const variables = server.variables.map((one) => one.name);
    output.print(
      [
        `Exported ${name}: ${server.tools} tools to ${out}`,
        `Start it: node ${resolve(out, 'server.mjs')}`,
        ...(variables.length > 0 ? [`Secrets are read from ${variables.join(', ')}.`] : []),
      ].join('\n'),
    );
  }
  return 0;
}
