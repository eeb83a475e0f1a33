// The system's tools behind a registry with a real audit log, in a project of their own.
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditLine } from '../../src/core/audit/chain.ts';
import { readAuditKeys } from '../../src/core/audit/key.ts';
import { readLastLines } from '../../src/core/audit/verify.ts';
import { type Call, createPlainCall, localCaller } from '../../src/core/call.ts';
import { LoreError } from '../../src/core/error.ts';
import { createLog } from '../../src/core/log.ts';
import type { PermissionLevel } from '../../src/core/registry/permission.ts';
import { Registry } from '../../src/core/registry/registry.ts';
import { protectOwnFiles } from '../../src/files/own.ts';
import { createGraphAccess } from '../../src/graph/access.ts';
import { createFolders } from '../../src/graph/project/grant.ts';
import { createFileTools, type FileToolSettings } from '../../src/services/system/fs/tools.ts';
import { createRegistryTools, type RegistryToolSettings } from '../../src/services/system/reg/tools.ts';
import { nothingSet, type SystemSettings } from '../../src/services/system/settings.ts';
import { openAuditFile } from '../../src/store/audit/file.ts';
import { createFolder } from './folder.ts';

export type Json = { [key: string]: unknown };

export interface SystemOptions {
  permissions?: { [name: string]: PermissionLevel };
  settings?: Partial<SystemSettings>;
  roots?: () => readonly string[];
  files?: FileToolSettings;
  registry?: RegistryToolSettings;
  /** Whether the person agrees; the user cannot be asked without it. */
  answer?: (question: string) => Json;
}

export interface System {
  /** All of it: the project, what lies beside it, and the audit log's own folder. */
  folder: string;
  project: string;
  /** Outside of everything that is allowed. */
  outside: string;
  questions: string[];
  call(name: string, args?: object, options?: { signal?: AbortSignal }): Promise<Json>;
  text(name: string, args?: object): Promise<string>;
  /** The error, as it is told. */
  fail(name: string, args?: object): Promise<LoreError>;
  audited(count?: number): Promise<AuditLine[]>;
  close(): Promise<void>;
}

export async function openSystem(options: SystemOptions = {}): Promise<System> {
  const folder = realpathSync(createFolder('system'));
  const [project, outside, data] = ['project', 'outside', 'data'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [project, outside, data]) mkdirSync(each);
  const audit = openAuditFile(data);
  const { permissions = { reg: 'write' } } = options;
  const rules = { readOnly: false, permissions, callTimeoutMs: 60_000, rateLimit: 1_000 };
  const registry = new Registry(rules, createLog('silent'), audit);
  protectOwnFiles({ settingsFile: join(project, 'config.json'), location: join(project, 'lore.db') });
  const settings = {
    ...nothingSet,
    ...options.settings,
  };
  const access = createGraphAccess(join(data, 'lore.db'));
  const folders = createFolders(access, { roots: options.roots ?? (() => []), projects: () => 'read', own: [] });
  const tools = { fs: createFileTools(folders, options.files), reg: createRegistryTools(settings, options.registry) };
  for (const [id, own] of Object.entries(tools)) {
    const grouped = own.map((tool) => ({ ...tool, group: 'system' }));
    await registry.register({ id, title: id, summary: '', tools: () => grouped });
  }
  const questions: string[] = [];

  function createCall(): Call {
    const plain = createPlainCall({ ...localCaller, folder: project });
    const { answer } = options;
    if (!answer) return plain;
    const ask = async (asked: Record<string, { params?: Json }>) => {
      const entries = Object.entries(asked).map(([key, { params }]) => {
        questions.push(String(params?.message));
        return [key, answer(String(params?.message))];
      });
      return Object.fromEntries(entries);
    };
    return { ...plain, can: (kind) => kind === 'elicitation', ask: ask as unknown as Call['ask'] };
  }

  async function run(name: string, args: object, signal?: AbortSignal) {
    const call = createCall();
    signal?.addEventListener('abort', () => call.cancel(signal.reason));
    return registry.call(name, args, call);
  }

  return {
    folder,
    project,
    outside,
    questions,
    call: async (name, args = {}, { signal } = {}) => (await run(name, args, signal)).structured as Json,
    text: async (name, args = {}) =>
      (await run(name, args)).content.map((block) => (block.type === 'text' ? block.text : '')).join('\n'),
    async fail(name, args = {}) {
      const outcome = await run(name, args).catch((error: unknown) => error);
      if (outcome instanceof LoreError) return outcome;
      throw new Error(`${name} should have failed, but said ${JSON.stringify(outcome)}`);
    },
    audited: async (count = 1) => readLastLines(data, count, await readAuditKeys([data])),
    async close() {
      for (const id of Object.keys(tools)) await registry.unregister(id);
      await audit.close();
    },
  };
}
