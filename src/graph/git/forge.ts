// Short forms of git addresses (`owner/name`, `github.com/owner/name`), and web pages of a forge.
import { LoreError } from '../../core/error.ts';

const hosts = new Set(['github.com', 'gitlab.com', 'codeberg.org', 'bitbucket.org']);

/** The full address of a short form, or undefined. `owner/name` without a host is on GitHub. */
export function expandAddress(text: string): string | undefined {
  const [first = '', ...rest] = text.split('/');
  const host = readHost(first);
  if (hosts.has(host)) return rest.length > 0 ? `https://${host}/${rest.join('/')}` : undefined;
  const isPair = /^[a-z\d][a-z\d-]{0,38}\/(?!\.{1,2}$)[\w.-]{1,100}$/i.test(text);
  return isPair ? `https://github.com/${text}` : undefined;
}

/** Converts the URL of a web page to that of its repository. */
export function refusePage(host: string, path: string): void {
  const forge = readHost(host);
  if (!hosts.has(forge)) return;
  const [plain = ''] = path.split(/[?#]/);
  const names = plain.split('/').filter((name) => name !== '');
  const page = forge === 'gitlab.com' ? names.indexOf('-') : 2;
  if (page < 0 || (names.length <= page && plain === path)) return;
  const repository = `https://${[forge, ...names.slice(0, page)].join('/')}`;
  const hint = `Use "${repository}", and the argument path for a file or folder in it. The default branch is cloned.`;
  throw new LoreError('invalid_input', `Cannot clone "${repository}/…": it is a web page of a repository`, {
    hint,
    details: { path: 'arguments.repo', expected: repository, received: `${repository}/…` },
  });
}

function readHost(text: string): string {
  return text.toLowerCase().replace(/^www\./, '');
}
