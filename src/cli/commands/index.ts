// The list of commands, in the order of the help. Only the command that runs is loaded.
import type { Command } from '../../core/command.ts';

export const commands = {
  serve: async () => (await import('./serve.ts')).serve,
  stdio: async () => (await import('./stdio.ts')).stdio,
  open: async () => (await import('./open.ts')).open,
  tools: async () => (await import('./tools.ts')).tools,
  call: async () => (await import('./call.ts')).call,
  install: async () => (await import('./install.ts')).install,
  uninstall: async () => (await import('./uninstall.ts')).uninstall,
  hook: async () => (await import('./hook.ts')).hook,
  memory: async () => (await import('./memory.ts')).memory,
  show: async () => (await import('./show.ts')).show,
  edit: async () => (await import('./edit.ts')).edit,
  purge: async () => (await import('./purge.ts')).purge,
  export: async () => (await import('./export.ts')).exportCommand,
  import: async () => (await import('./import.ts')).importCommand,
  share: async () => (await import('./share.ts')).share,
  sync: async () => (await import('./sync.ts')).sync,
  pause: async () => (await import('./pause.ts')).pause,
  skill: async () => (await import('./skill.ts')).skill,
  forge: async () => (await import('./forge.ts')).forge,
  mount: async () => (await import('./mount.ts')).mount,
  project: async () => (await import('./project.ts')).project,
  backup: async () => (await import('./backup.ts')).backup,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  embedding: async () => (await import('./embedding.ts')).embedding,
  reveal: async () => (await import('./reveal.ts')).reveal,
  allow: async () => (await import('./allow.ts')).allow,
  token: async () => (await import('./token.ts')).tokenCommand,
  service: async () => (await import('./service.ts')).service,
  audit: async () => (await import('./audit.ts')).audit,
  config: async () => (await import('./config.ts')).config,
  doctor: async () => (await import('./doctor.ts')).doctor,
  completion: async () => (await import('./completion.ts')).completion,
  version: async () => (await import('./version.ts')).versionCommand,
} satisfies Record<string, () => Promise<Command>>;

export async function findCommand(name: string): Promise<Command | undefined> {
  return Object.hasOwn(commands, name) ? commands[name as keyof typeof commands]() : undefined;
}

export function loadCommands(): Promise<Command[]> {
  return Promise.all(Object.values(commands).map((load) => load()));
}
