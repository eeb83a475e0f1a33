// The HTTP server as a background service of the user: a systemd unit, a launchd agent or a Windows task, started at login.
import { join } from 'node:path';
import { LoreError } from '../core/error.ts';

export interface BackgroundService {
  /** What runs it: systemd, launchd, the task scheduler. */
  manager: string;
  /** Its definition; a Windows task has none. */
  file?: { path: string; text: string };
  /** Command lines; each may depend on the one before. */
  start: readonly Line[];
  stop: readonly Line[];
  /** After the definition is deleted. */
  forget?: Line;
  logs: string;
}

type Line = readonly [program: string, ...args: string[]];

export interface Background {
  platform: NodeJS.Platform;
  home: string;
  env: NodeJS.ProcessEnv;
  /** The command line of the server. */
  words: readonly string[];
  /** Environment variables that it needs. */
  variables: Readonly<Record<string, string>>;
  /** The number of the user, for launchd. */
  uid: number;
}

const label = 'io.github.lorekeeper';
const unit = 'lorekeeper.service';
const task = 'Lorekeeper';

export function describeBackground(background: Background): BackgroundService {
  if (background.platform === 'darwin') return describeAgent(background);
  if (background.platform === 'win32') return describeTask(background);
  if (background.platform === 'linux') return describeUnit(background);
  throw new LoreError('unavailable', `Cannot install a service on ${background.platform}`, {
    hint: 'Start lore serve with the service manager of this system.',
  });
}

function describeUnit({ home, env, words, variables }: Background): BackgroundService {
  const settings = Object.entries(variables).map(([name, value]) => `Environment=${quote(`${name}=${value}`)}`);
  const lines = [
    '[Unit]',
    'Description=Lorekeeper, the context server of coding agents',
    '',
    '[Service]',
    `ExecStart=${words.map(quoteCommand).join(' ')}`,
    ...settings,
    'Restart=on-failure',
    'RestartSec=2',
    '',
    '[Install]',
    'WantedBy=default.target',
  ];
  const systemctl = (...args: string[]): Line => ['systemctl', '--user', ...args];
  return {
    manager: 'systemd',
    file: {
      path: join(env.XDG_CONFIG_HOME || join(home, '.config'), 'systemd', 'user', unit),
      text: `${lines.join('\n')}\n`,
    },
    start: [systemctl('daemon-reload'), systemctl('enable', unit), systemctl('restart', unit)],
    stop: [systemctl('disable', '--now', unit)],
    forget: systemctl('daemon-reload'),
    logs: `journalctl --user -u ${unit}`,
  };
}

/** As in a unit file: % and backslashes have a meaning there, and a line break would end the line. */
function quote(word: string): string {
  const escaped = word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%');
  return `"${escaped.replace(/\p{Cc}/gu, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`;
}

/** In a command line variables are replaced as well. */
function quoteCommand(word: string): string {
  return quote(word).replaceAll('$', '$$$$');
}

function describeAgent({ home, words, variables, uid }: Background): BackgroundService {
  const log = join(home, 'Library', 'Logs', 'lorekeeper.log');
  const settings = Object.entries(variables).map(([name, value]) => `${tag('key', name)}${tag('string', value)}`);
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>${tag('string', label)}
  <key>ProgramArguments</key><array>${words.map((word) => tag('string', word)).join('')}</array>
  <key>EnvironmentVariables</key><dict>${settings.join('')}</dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>StandardErrorPath</key>${tag('string', log)}
</dict>
</plist>
`;
  const path = join(home, 'Library', 'LaunchAgents', `${label}.plist`);
  return {
    manager: 'launchd',
    file: { path, text },
    start: [
      ['launchctl', 'bootstrap', `gui/${uid}`, path],
      ['launchctl', 'kickstart', '-k', `gui/${uid}/${label}`],
    ],
    stop: [['launchctl', 'bootout', `gui/${uid}/${label}`]],
    logs: `tail ${log}`,
  };
}

function tag(name: string, text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<${name}>${escaped}</${name}>`;
}

/** The task inherits the user's own environment variables, and has no others. */
function describeTask({ words }: Background): BackgroundService {
  const line = words.map((word) => `"${word}"`).join(' ');
  return {
    manager: 'the task scheduler',
    start: [
      ['schtasks', '/Create', '/F', '/SC', 'ONLOGON', '/TN', task, '/TR', line],
      ['schtasks', '/Run', '/TN', task],
    ],
    stop: [
      ['schtasks', '/End', '/TN', task],
      ['schtasks', '/Delete', '/F', '/TN', task],
    ],
    logs: 'lore doctor',
  };
}
