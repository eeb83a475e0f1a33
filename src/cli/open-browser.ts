// Opens an address in the user's browser, if there is a screen to show it on.
import { runProgram } from '../core/program/program.ts';

const openers: { readonly [platform: string]: readonly [string, ...string[]] } = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
};

/** `address`: one of http or https. Failures are ignored: the address is printed as well. */
export function openBrowser(address: string, env: NodeJS.ProcessEnv = process.env): void {
  const [program, ...args] = openers[process.platform] ?? [];
  const hasScreen = process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  if (program === undefined || !hasScreen || env.SSH_CONNECTION) return;
  const screen = { DISPLAY: env.DISPLAY, WAYLAND_DISPLAY: env.WAYLAND_DISPLAY, PATH: env.PATH, HOME: env.HOME };
  const given = Object.fromEntries(Object.entries(screen).filter(([, value]) => value !== undefined));
  runProgram({ program, args: [...args, address], env: given, timeoutMs: 10_000 }).catch(() => {});
}
