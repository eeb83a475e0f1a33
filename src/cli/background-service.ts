// Installs, removes and checks the background service.
import { closeSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { loadConfig } from '../config/load.ts';
import { type SettingKey, settings } from '../config/settings.ts';
import type { Invocation, Output } from '../core/command.ts';
import { LoreError } from '../core/error.ts';
import { send } from '../core/outgoing/send.ts';
import { runProgram } from '../core/program/program.ts';
import { openPrivate } from '../store/private-file.ts';
import { type BackgroundService, describeBackground } from './background.ts';
import { findCarried } from './carried-settings.ts';
import { findPlace, setupOf } from './programs.ts';

const timeoutMs = 30_000;
const checkMs = 20_000;
const checkEveryMs = 100;

export async function runBackground(
  verb: 'install' | 'uninstall' | 'status',
  { options, flags, output }: Invocation,
): Promise<number> {
  const { host, port } = loadConfig({ flags }).values;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/mcp`;
  if (verb === 'status') return report(url, output);
  const { env, secret } = await findCarried();
  if (secret.length > 0)
    output.note(`Not written, because it is secret: ${secret.join(', ')}. Put it into the settings file.`);
  const { launch } = setupOf(findPlace());
  const given = Object.entries(flags).flatMap(([key, value]) => [
    `--${settings[key as SettingKey].flag}`,
    String(value),
  ]);
  const service = describeBackground({
    platform: process.platform,
    home: homedir(),
    env: process.env,
    words: [launch.command, ...launch.args, 'serve', ...given],
    variables: env,
    uid: process.getuid?.() ?? 0,
  });
  if (options.print) return print(service, output);
  return verb === 'install' ? install(service, url, output) : uninstall(service, output);
}

function print({ file, start }: BackgroundService, output: Output): number {
  if (output.json) output.printJson({ file, start });
  else
    output.print([...(file ? [`# ${file.path}`, file.text] : []), ...start.map((line) => line.join(' '))].join('\n'));
  return 0;
}

async function install(service: BackgroundService, url: string, output: Output): Promise<number> {
  const { manager, file, logs } = service;
  if (file) {
    mkdirSync(dirname(file.path), { recursive: true });
    // It may contain the password of a database.
    const definition = openPrivate(file.path);
    writeFileSync(definition, file.text);
    closeSync(definition);
  }
  // launchd refuses an agent that it has already.
  if (manager === 'launchd') await runAll(service.stop, manager).catch(() => {});
  await runAll(service.start, manager, file && `It is defined in ${file.path}.`);
  const answers = await waitForAnswer(url);
  if (output.json) output.printJson({ file: file?.path, url, answers });
  else if (answers) output.print(`Lorekeeper runs in the background, at every login: ${url}`);
  else output.print(`Installed, but ${url} does not answer yet. Its log: ${logs}`);
  return answers ? 0 : 1;
}

async function uninstall({ manager, file, stop, forget }: BackgroundService, output: Output): Promise<number> {
  // If it is not installed or not running, there is nothing to stop.
  const failure = await runAll(stop, manager).catch((error: unknown) => error);
  if (file) rmSync(file.path, { force: true });
  if (forget && failure === undefined) await runAll([forget], manager);
  if (output.json) output.printJson({ file: file?.path });
  else output.print('The background service is removed.');
  return 0;
}

async function report(url: string, output: Output): Promise<number> {
  const answers = await isAnswering(url);
  if (output.json) output.printJson({ url, answers });
  else output.print(answers ? `Running: ${url}` : `Nothing answers at ${url}. lore service install starts it.`);
  return answers ? 0 : 1;
}

async function runAll(lines: BackgroundService['start'], manager: string, defined?: string): Promise<void> {
  for (const [program, ...args] of lines) {
    const explain = (_: number, complaint: string) =>
      new LoreError('unavailable', `Cannot run the service with ${manager}: ${complaint.trim().split('\n').at(-1)}`, {
        hint: [defined, 'Without a service manager, start lore serve yourself.'].filter(Boolean).join(' '),
      });
    await runProgram({ program, args, timeoutMs, silenceMs: timeoutMs, explain });
  }
}

async function waitForAnswer(url: string): Promise<boolean> {
  for (let waited = 0; waited < checkMs; waited += checkEveryMs) {
    if (await isAnswering(url)) return true;
    await new Promise((resolve) => setTimeout(resolve, checkEveryMs));
  }
  return false;
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    const request = { method: 'GET', origin: new URL(url).origin, target: '/healthz' };
    return (await send(request, { reach: 'private', timeoutMs, maxBytes: 10_000 })).status === 200;
  } catch {
    return false;
  }
}
