// The one list of commands, in the order help shows them. What only one command needs and is slow to load, that command
// imports when it runs.
import type { Command } from '../command.ts';
import { backup } from './backup.ts';
import { call } from './call.ts';
import { config } from './config.ts';
import { doctor } from './doctor.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { migrateCommand } from './migrate.ts';
import { serve } from './serve.ts';
import { stdio } from './stdio.ts';
import { tools } from './tools.ts';
import { versionCommand } from './version.ts';

export const commands: readonly Command[] = [
  serve,
  stdio,
  tools,
  call,
  exportCommand,
  importCommand,
  backup,
  migrateCommand,
  config,
  doctor,
  versionCommand,
];
