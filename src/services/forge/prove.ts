// Proves that a source works: one safe call that needs no arguments and is really answered.
import { type Call, createPlainCall, personCaller } from '../../core/call.ts';
import { LoreError } from '../../core/error.ts';
import { toolNameOf } from '../../core/tool-provider.ts';
import { acceptArguments, runTool } from './call/run.ts';
import type { Forge } from './forge.ts';
import type { Source } from './source/source.ts';

const mostTries = 3;

export interface Proof {
  /** The tool that answered. */
  name?: string;
  /** Why none did. */
  problem?: string;
}

export async function proveSource(
  forge: Forge,
  source: Source,
  call: Call = createPlainCall(personCaller),
): Promise<Proof> {
  const catalog = await forge.sources.catalog(source);
  const safe = catalog.filter(
    ({ effect, signature, isDeprecated }) => effect === 'read' && !signature.includes('*') && !isDeprecated,
  );
  let problem = 'it has no operation that reads without arguments';
  for (const entry of safe.slice(0, mostTries)) {
    const tool = { name: toolNameOf(source.name, entry.name), source, entry };
    const refuseFile = async () => {
      throw new LoreError('invalid_input', 'Cannot send a file: a proof has no arguments');
    };
    try {
      await runTool(forge, tool, await acceptArguments(forge, tool, {}), call, { readFile: refuseFile });
      return { name: tool.name };
    } catch (error) {
      if (!(error instanceof LoreError)) throw error;
      problem = error.message;
    }
  }
  return { problem };
}
