// Chooses the server of an operation and splits its address, without normalising the path.
import { LoreError } from '../../../core/error.ts';
import type { ApiDocument } from './document.ts';
import type { ApiOperation } from './operation.ts';

export interface ServerChoice {
  /** Replaces the servers of the document. */
  base?: string | undefined;
  /** Values of server variables. */
  variables?: { readonly [name: string]: string } | undefined;
}

export interface ServerAddress {
  origin: string;
  /** Without a slash at the end. */
  path: string;
}

export function serverOf(
  { address }: ApiDocument,
  { servers }: Pick<ApiOperation, 'servers'>,
  choice: ServerChoice = {},
): ServerAddress {
  const { base, variables = {} } = choice;
  if (base) return splitAddress(base);
  const { url, variables: defaults } = servers[0] ?? { url: '/', variables: {} };
  const filled = url.replace(/\{([^{}]+)\}/g, (whole, name: string) => variables[name] ?? defaults[name] ?? whole);
  if (/^[a-z][a-z0-9+.-]*:/i.test(filled)) return splitAddress(filled);
  if (/^https?:/.test(address)) return splitAddress(new URL(filled || '/', address).href);
  throw new LoreError(
    'invalid_input',
    `Cannot choose a server: "${filled}" is relative, and the document has no address`,
    {
      hint: 'Set the address of the API: lore forge add NAME FILE --base URL',
    },
  );
}

/** Throws `invalid_input` unless it is the address of a web server without a user name. */
export function splitAddress(text: string): ServerAddress {
  const [, scheme = '', authority = '', path = ''] = /^(https?):\/\/([^/?#\\]*)([^?#]*)/i.exec(text) ?? [];
  const isPlain = authority !== '' && !/[@{}\s]/.test(authority) && URL.canParse(`${scheme}://${authority}`);
  if (!isPlain || /[{}\s\\]|(?:^|\/)\.{1,2}(?:\/|$)|%2e/i.test(path)) {
    throw new LoreError(
      'invalid_input',
      `Cannot use server "${text}": expected http:// or https://, a host and a plain path`,
    );
  }
  return { origin: new URL(`${scheme}://${authority}`).origin, path: path.replace(/\/+$/, '') };
}
