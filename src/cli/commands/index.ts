// The one list of commands, in the order help shows them. Each is loaded only when it is run, or when help tells of all.
import type { Command } from '../command.ts';

export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  stdio: async () => (await import('./stdio.ts')).stdio,
  tools: async () => (await import('./tools.ts')).tools,
  call: async () => (await import('./call.ts')).call,
  config: async () => (await import('./config.ts')).config,
  doctor: async () => (await import('./doctor.ts')).doctor,
  version: async () => (await import('./version.ts')).versionCommand,
};
