// Addresses of settings on every platform: `HKCU\Software\…` (with `reg32:` or `reg64:` before it for one view of the
// registry), `gsettings:schema` or `gsettings:schema:/path/`, `dconf:/folder/`, `defaults:domain`. Text that a program could
// take for an option, a file or another machine is refused.
import { LoreError } from '../../../core/error.ts';

export type SettingsAddress =
  | { kind: 'reg'; key: string; view?: '32' | '64' }
  | { kind: 'gsettings'; schema: string }
  | { kind: 'dconf'; folder: string }
  | { kind: 'defaults'; domain: string };

const hives: Record<string, string> = {
  HKEY_LOCAL_MACHINE: 'HKLM',
  HKEY_CURRENT_USER: 'HKCU',
  HKEY_CLASSES_ROOT: 'HKCR',
  HKEY_USERS: 'HKU',
  HKEY_CURRENT_CONFIG: 'HKCC',
};

const schemaName = /^[A-Za-z][A-Za-z0-9.-]*(?::\/(?:[A-Za-z0-9._:@+-]+\/)*)?$/;
const dconfFolder = /^\/(?:[A-Za-z0-9._:@+-]+\/)*$/;
const domainName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const keyNames: Record<SettingsAddress['kind'], RegExp> = {
  // Anything but what ends a line.
  reg: /^[^\p{Cc}\u2028\u2029]{0,16383}$/u,
  gsettings: /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
  dconf: /^[A-Za-z0-9._:@+-]+$/,
  defaults: /^[^\p{Cc}-][^\p{Cc}]{0,254}$/u,
};

export function readAddress(path: string): SettingsAddress {
  const [, scheme = '', rest = ''] = /^(gsettings|dconf|defaults|reg|reg32|reg64):(.*)$/s.exec(path) ?? [];
  if (scheme === 'gsettings' && schemaName.test(rest)) return { kind: 'gsettings', schema: rest };
  if (scheme === 'dconf') {
    const folder = rest.endsWith('/') ? rest : `${rest}/`;
    if (dconfFolder.test(folder)) return { kind: 'dconf', folder };
  }
  if (scheme === 'defaults' && domainName.test(rest)) return { kind: 'defaults', domain: rest };
  if (scheme === '' || scheme.startsWith('reg')) {
    const key = readKey(scheme === '' ? path : rest);
    const view = scheme === 'reg32' ? '32' : scheme === 'reg64' ? '64' : undefined;
    if (key !== undefined) return { kind: 'reg', key, ...(view && { view }) };
  }
  throw new LoreError('invalid_input', `Cannot use path "${path}": it is not an address of settings`, {
    hint: String.raw`HKCU\Software\…, gsettings:org.gnome.desktop.interface, dconf:/org/gnome/ or defaults:com.apple.dock`,
    details: { path: 'arguments.path', expected: 'an address of settings', received: path },
  });
}

function readKey(path: string): string | undefined {
  const [hive = '', ...rest] = path.replace(/\\$/, '').split('\\');
  const known = hives[hive.toUpperCase()] ?? hive.toUpperCase();
  if (!Object.values(hives).includes(known)) return undefined;
  const isPlain = rest.every((part) => part !== '' && part.length <= 255 && !/[\p{Cc}\u2028\u2029]/u.test(part));
  return isPlain ? [known, ...rest].join('\\') : undefined;
}

/** Empty is the registry's value without a name, and nothing elsewhere. */
export function checkName({ kind }: SettingsAddress, name: string): void {
  if (keyNames[kind].test(name)) return;
  throw new LoreError('invalid_input', `Cannot use name "${name}": it is not a valid name`, {
    details: { path: 'arguments.name', expected: 'the name of a setting', received: name },
  });
}
