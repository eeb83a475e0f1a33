// The gateway in this process, with the small server mounted: each lab has its own folder and app.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import { type Call, createPlainCall, localCaller } from '../../src/core/call.ts';
import { createLog } from '../../src/core/log.ts';
import { type Gateway, type GatewayOptions, openGateway } from '../../src/services/gateway/gateway.ts';
import type { Mount } from '../../src/services/gateway/mount/mount.ts';
import { createFolder } from './folder.ts';
import type { Json } from './forge.ts';
import { upstreamFile } from './upstream/upstream.ts';

export class MountLab {
  readonly folder = createFolder('mounts');
  /** The gateway of a person's command. */
  readonly gateway: Gateway = openGateway({ folder: this.folder, reserved: async () => ['memory'] });
  readonly toolsFile = join(this.folder, 'tools.json');
  readonly #apps: App[] = [];

  /** Of another process, as far as a test can tell. */
  another(more: Partial<GatewayOptions> = {}): Gateway {
    const gateway = openGateway({ folder: this.folder, reserved: async () => [], ...more });
    this.#others.push(gateway);
    return gateway;
  }
  readonly #others: Gateway[] = [];

  /** With these permissions. */
  async start(permissions: Json = {}): Promise<App> {
    const file = join(this.folder, 'config.json');
    writeFileSync(file, JSON.stringify({ permissions }));
    const env = { LORE_DB: join(this.folder, 'lore.db'), LORE_CONFIG: file };
    const app = await createApp({ config: loadConfig({ env }), log: createLog('error'), stays: false });
    this.#apps.push(app);
    return app;
  }

  get app(): App {
    return this.#apps.at(-1) as App;
  }

  command(args: string[] = [], more: Partial<Mount> = {}): Mount {
    const command = { program: process.execPath, args: [upstreamFile, ...args] };
    return { name: 'small', command, addedAt: 0, ...more };
  }

  /** The list of the server's tools from now on. */
  writeTools(tools: Json[]): void {
    writeFileSync(this.toolsFile, JSON.stringify(tools));
  }

  mount(args: string[] = [], more: Partial<Mount> = {}, secrets: Record<string, string> = {}) {
    return this.gateway.add(this.command(args, more), secrets);
  }

  call(tool: string, args: Json, more: Partial<Call> = {}) {
    return this.app.registry.call(tool, args, { ...createPlainCall(localCaller), ...more });
  }

  async read(name: string, args: Json = {}, more: Partial<Call> = {}): Promise<Json> {
    return (await this.call('tool_read', { name, arguments: args }, more)).structured as Json;
  }

  async close(): Promise<void> {
    for (const app of this.#apps) await app.stop();
    for (const gateway of [this.gateway, ...this.#others]) await gateway.close();
  }
}

/** A tool of the small server. */
export function describeTool(name: string, more: Json = {}): Json {
  return {
    name,
    description: `The tool ${name}`,
    inputSchema: { type: 'object', properties: { value: { type: 'string' } } },
    annotations: { readOnlyHint: true },
    ...more,
  };
}
