// Opens an address in the user's browser, if there is a screen to show it on. The browser outlives this process and the program
// that started it, so it is started apart.
import { findProgram } from '../core/program/path.ts';

const openers: { readonly [platform: string]: readonly [string, ...string[]] } = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
};

/** `address`: one of http or https. Failures are ignored: the address is printed as well. */
export async function openBrowser(address: string, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const [program, ...args] = openers[process.platform] ?? [];
  const hasScreen = process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  if (program === undefined || !hasScreen || env.SSH_CONNECTION) return;
  const file = await findProgram(program, [process.cwd()], env.PATH);
  if (file === undefined) return;
  const { spawn } = await import('node:child_process');
  const child = spawn(file, [...args, address], { detached: true, stdio: 'ignore', env });
  child.on('error', () => {}).unref();
}
