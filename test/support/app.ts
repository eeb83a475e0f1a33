// The whole product in this process, for tests in which nothing depends on a process of its own: like a command, each call
// opens the app with the given settings, and closes it. A process for each would cost ten times as much.
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createPlainCall, personCaller } from '../../src/core/call.ts';
import { createLog } from '../../src/core/log.ts';
import type { ToolResult } from '../../src/core/tool.ts';

export async function callOnce(
  env: Record<string, string>,
  folder: string,
  tool: string,
  args: object = {},
): Promise<ToolResult> {
  const app = await createApp({ config: loadConfig({ env }), log: createLog('error'), stays: false });
  try {
    return await app.registry.call(tool, args, createPlainCall({ ...personCaller, folder }));
  } finally {
    await app.stop();
  }
}
