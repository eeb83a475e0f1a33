// The forge in this process, with a real server to call: each lab has its own folder, app and recording server.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import { type Call, createPlainCall, localCaller } from '../../src/core/call.ts';
import { createLog } from '../../src/core/log.ts';
import { type AddedSource, type Forge, openForge } from '../../src/services/forge/forge.ts';
import { createFolder } from './folder.ts';
import { openRecordingServer, type RecordingServer } from './recording-server.ts';

export type Json = Record<string, unknown>;

export class ForgeLab {
  readonly folder = createFolder('forge');
  readonly server: RecordingServer;
  #app: App | undefined;

  static async open(): Promise<ForgeLab> {
    const lab = new ForgeLab(await openRecordingServer());
    await lab.restart();
    return lab;
  }

  private constructor(server: RecordingServer) {
    this.server = server;
  }

  get app(): App {
    return this.#app as App;
  }

  get forge(): Forge {
    return openForge({ folder: this.folder, reserved: async () => ['memory'] });
  }

  /** With these permissions, and further settings. */
  async restart(permissions: Json = {}, settings: Json = {}): Promise<void> {
    await this.#app?.stop();
    const file = join(this.folder, 'config.json');
    writeFileSync(file, JSON.stringify({ permissions, ...settings }));
    const env = { LORE_DB: join(this.folder, 'lore.db'), LORE_CONFIG: file };
    this.#app = await createApp({ config: loadConfig({ env }), log: createLog('silent'), stays: false });
  }

  async close(): Promise<void> {
    await this.app.stop();
    await this.server.close();
  }

  save(document: Json, name = 'api.json'): string {
    const file = join(this.folder, name);
    writeFileSync(file, JSON.stringify(document));
    return file;
  }

  add(document: Json = this.pets(), name = 'shop'): Promise<AddedSource> {
    return this.forge.add({ name, from: this.save(document), isPerson: true });
  }

  call(tool: string, args: Json, more: Partial<Call> = {}) {
    return this.app.registry.call(tool, args, { ...createPlainCall({ ...localCaller, folder: this.folder }), ...more });
  }

  async read(name: string, args: Json = {}): Promise<Json> {
    return (await this.call('tool_read', { name, arguments: args })).structured as Json;
  }

  /** The request lines that the server has received. */
  get lines(): string[] {
    return this.server.requests.map(({ line }) => line);
  }

  answer(status: number, headers: Record<string, string>, body: string | Buffer = ''): void {
    this.server.answer = (_, response) => response.writeHead(status, headers).end(body);
  }

  /** A document of this server. */
  pets(more: Json = {}): Json {
    return {
      openapi: '3.1.0',
      info: { title: 'Pets' },
      servers: [{ url: `${this.server.origin}/v1` }],
      paths: {
        '/pets': {
          get: {
            operationId: 'listPets',
            summary: 'List all pets of the store',
            parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
          },
          post: {
            operationId: 'addPet',
            summary: 'Add a pet',
            requestBody: {
              required: true,
              content: {
                'application/json': {
                  schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
                },
              },
            },
          },
        },
        '/pets/{id}': {
          get: { operationId: 'getPet', summary: 'Find a pet by its id' },
          delete: { operationId: 'deletePet', summary: 'Delete a pet' },
        },
        '/orders': { get: { operationId: 'listOrders', summary: 'List the orders of a customer' } },
      },
      ...more,
    };
  }
}
