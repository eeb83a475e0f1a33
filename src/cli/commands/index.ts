// The one list of commands, in the order help shows them. What only one command needs and is slow to load, that command
// imports when it runs.
import type { Command } from '../../core/command.ts';
import { allow } from './allow.ts';
import { audit } from './audit.ts';
import { backup } from './backup.ts';
import { call } from './call.ts';
import { config } from './config.ts';
import { doctor } from './doctor.ts';
import { edit } from './edit.ts';
import { embedding } from './embedding.ts';
import { exportCommand } from './export.ts';
import { hook } from './hook.ts';
import { importCommand } from './import.ts';
import { install } from './install.ts';
import { migrateCommand } from './migrate.ts';
import { pause } from './pause.ts';
import { project } from './project.ts';
import { purge } from './purge.ts';
import { reveal } from './reveal.ts';
import { serve } from './serve.ts';
import { service } from './service.ts';
import { show } from './show.ts';
import { skill } from './skill.ts';
import { stdio } from './stdio.ts';
import { sync } from './sync.ts';
import { tokenCommand } from './token.ts';
import { tools } from './tools.ts';
import { uninstall } from './uninstall.ts';
import { versionCommand } from './version.ts';

export const commands: readonly Command[] = [
  serve,
  stdio,
  tools,
  call,
  install,
  uninstall,
  hook,
  show,
  edit,
  purge,
  exportCommand,
  importCommand,
  sync,
  pause,
  skill,
  project,
  backup,
  migrateCommand,
  embedding,
  reveal,
  allow,
  tokenCommand,
  service,
  audit,
  config,
  doctor,
  versionCommand,
];
