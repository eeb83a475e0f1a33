// Opens the dashboard as its page does: the link that lore open prints, then requests of the same origin.
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createFolder } from './folder.ts';
import { send } from './http-request.ts';
import { runLore, spawnLore } from './lore.ts';

export interface Dashboard {
  origin: string;
  /** The link, which works once. */
  link: string;
  /** Of the link. */
  key: string;
  /** Prints another link to the same server: its key. */
  open(): Promise<string>;
  env: Record<string, string>;
  folder: string;
  stop(): void;
}

/** The server that lore open starts, until the test is over. */
export async function openDashboard(settings: Record<string, string> = {}): Promise<Dashboard> {
  const folder = createFolder('dashboard');
  const env = { LORE_DB: join(folder, 'lore.db'), LORE_PORT: '0', LOG_LEVEL: 'error', ...settings };
  const work = createFolder('work');
  const child = spawnLore(['open', '--json'], env, work);
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  while (!text.includes('}')) await once(child.stdout, 'data');
  const url = new URL((JSON.parse(text) as { url: string }).url);
  return {
    origin: url.origin,
    link: url.href,
    key: keyOf(url.href),
    folder: work,
    env,
    async open() {
      const { stdout } = await runLore(['open', '--json'], { env: { ...env, LORE_PORT: url.port }, cwd: work });
      return keyOf((JSON.parse(stdout) as { url: string }).url);
    },
    stop: () => void child.kill('SIGKILL'),
  };
}

function keyOf(link: string): string {
  return new URLSearchParams(new URL(link).hash.slice(1)).get('k') ?? '';
}

/** As Chromium sends them from the page itself. */
export function pageHeaders(origin: string): Record<string, string> {
  return {
    Origin: origin,
    'Content-Type': 'application/json',
    'Sec-Fetch-Site': 'same-origin',
    'Sec-Fetch-Mode': 'cors',
    'Sec-Fetch-Dest': 'empty',
  };
}

/** Exchanges the key: the headers of further requests. */
export async function signIn(origin: string, key: string): Promise<Record<string, string>> {
  const headers = pageHeaders(origin);
  const { headers: given, body } = await send(`${origin}/ui/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ key }),
  });
  const [cookie = ''] = given['set-cookie'] ?? [];
  const { token } = JSON.parse(body) as { token: string };
  return { ...headers, Cookie: cookie.split(';')[0] ?? '', 'Lore-Page': token };
}
