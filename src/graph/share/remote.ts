// A reference of a git remote as a set of files that are only ever added. The objects are in a bare repository of our own, so the
// user's repository is not touched at all: not its objects, index, HEAD, hooks or settings, which its author could have written.
// Nothing here is the only copy: what was not pushed is still in the database.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { hashHex, loadCrypto } from '../../core/crypto.ts';
import { LoreError } from '../../core/error.ts';
import { type GitLimits, streamGit } from '../git/git.ts';
import { parseBlobs } from '../git/objects.ts';
import { explainOnline } from '../git/online-error.ts';

export interface RemoteFile {
  path: string;
  /** The id of its content. */
  blob: string;
  size: number;
}

/** The content of a file, or the id of one that the repository has. */
export type NewFile = { path: string } & ({ text: string } | { blob: string });

export interface ShareRemoteOptions {
  /** The folder for repositories of our own. */
  folder: string;
  url: string;
  /** In the remote; its folder has nothing else. */
  ref: string;
  /** 'sha256' if the remote uses it. */
  format: 'sha1' | 'sha256';
  signal?: AbortSignal | undefined;
}

const settings = [
  'gc.auto=0',
  'maintenance.auto=false',
  'core.logAllRefUpdates=false',
  'transfer.fsckObjects=true',
  'protocol.version=2',
  'push.gpgSign=false',
  'push.recurseSubmodules=no',
  'push.followTags=false',
].flatMap((pair) => ['-c', pair]);

const known = 'refs/remote/log';
const written = 'refs/written/log';
const maxBytes = 256 << 20;
/** More loose objects than this are packed. */
const mostLoose = 500;
const identity = 'Lorekeeper <lorekeeper@localhost>';

export class ShareRemote {
  readonly #options: ShareRemoteOptions;
  readonly #home: string;

  constructor(options: ShareRemoteOptions) {
    this.#options = options;
    const { url, ref, format } = options;
    this.#home = join(options.folder, `${hashHex(JSON.stringify([url, ref, format])).slice(0, 24)}.git`);
  }

  get url(): string {
    return this.#options.url;
  }

  get ref(): string {
    return this.#options.ref;
  }

  /** For a lock. */
  get home(): string {
    return this.#home;
  }

  async open(): Promise<void> {
    const { folder, format } = this.#options;
    if (existsSync(join(this.#home, 'config'))) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Left over from a process that died.
    await rm(this.#home, { recursive: true, force: true });
    await mkdir(this.#home, { mode: 0o700 });
    await this.#run(['init', '-q', '--bare', '--template=', `--object-format=${format}`, this.#home]);
  }

  /** The current commit of the remote; undefined if it has none. */
  async pull(): Promise<string | undefined> {
    const { url, ref } = this.#options;
    // A pattern is not an error if nothing matches it.
    const refspec = `+${posix.dirname(ref)}/*:${posix.dirname(known)}/*`;
    const args = [
      'fetch',
      '-q',
      '--no-tags',
      '--no-write-fetch-head',
      '--prune',
      '--no-auto-maintenance',
      url,
      refspec,
    ];
    await this.#run(args, this.#online('fetch from'));
    const tip = await this.#readTip();
    return tip === '' ? undefined : tip;
  }

  /** From its file, if git uses files for references: a process would take longer than everything else here. */
  async #readTip(): Promise<string> {
    const text = await readFile(join(this.#home, known), 'utf8').catch(() => '');
    const isWhole = /^[0-9a-f]{40,64}\n$/.test(text);
    return (isWhole ? text : await this.#run(['for-each-ref', '--format=%(objectname)', known])).trim();
  }

  /** If the remote rewrote its history, what was retracted is deleted here, too. `work` reads the new files meanwhile. */
  async forgetHistory(tip: string | undefined, work: () => Promise<void>): Promise<void> {
    const file = join(this.#home, 'lore-tip');
    const last = await readFile(file, 'utf8').catch(() => '');
    const isContinued = last === '' || last === tip || this.#isAncestor(last, tip ?? '');
    const [isKept] = await Promise.all([isContinued, work()]);
    if (!isKept) await this.tidy({ prune: true });
    // Last: a process that dies before does it again.
    if (last !== tip) await writeFile(file, tip ?? '');
  }

  async #isAncestor(commit: string, tip: string): Promise<boolean> {
    try {
      await this.#run(['merge-base', '--is-ancestor', commit, tip]);
      return true;
    } catch (error) {
      if (error instanceof LoreError && error.word === 'not_found') return false;
      throw error;
    }
  }

  async list(commit: string | undefined): Promise<RemoteFile[]> {
    if (commit === undefined) return [];
    const output = await this.#run(['ls-tree', '-r', '-l', '-z', '--full-tree', commit]);
    return output.split('\0').flatMap((line) => {
      const [, blob, size, path] = /^\d+ blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(line) ?? [];
      return blob === undefined || path === undefined ? [] : [{ path, blob, size: Number(size) }];
    });
  }

  /** The id of a content. */
  nameBlob(text: string): string {
    const bytes = Buffer.from(text);
    return loadCrypto().createHash(this.#options.format).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
  }

  /** By blob. */
  async read(blobs: readonly string[]): Promise<Map<string, string>> {
    if (blobs.length === 0) return new Map();
    const input = `${blobs.join('\n')}\n`;
    const found = parseBlobs(await this.#run(['cat-file', '--batch'], { input, encoding: 'latin1' }));
    if (!found) throw brokenError(this.url);
    return new Map([...found].map(([blob, bytes]) => [blob, bytes.toString('utf8')]));
  }

  /** A commit with these files added to those of its parent; without a parent it is a new history of these alone. */
  async commit(
    parent: string | undefined,
    files: readonly NewFile[],
    at: number,
    { without = [] }: { without?: readonly string[] } = {},
  ): Promise<string> {
    const lines = [
      `commit ${written}`,
      'mark :1',
      `committer ${identity} ${Math.floor(at / 1000)} +0000`,
      'data 4',
      'sync',
      ...(parent === undefined ? [] : [`from ${parent}`, ...without.map((path) => `D ${path}`)]),
      ...files.map((file) =>
        'blob' in file
          ? `M 100644 ${file.blob} ${file.path}`
          : `M 100644 inline ${file.path}\ndata ${Buffer.byteLength(file.text)}\n${file.text}`,
      ),
      '',
      'get-mark :1',
      'done',
      '',
    ];
    // A root commit must not continue what was written before.
    if (parent === undefined) lines.unshift(`reset ${written}`, '');
    const output = await this.#run(['fast-import', '--force', '--quiet', '--done', '--date-format=raw'], {
      input: lines.join('\n'),
    });
    const [commit] = /^[0-9a-f]{40,64}$/m.exec(output) ?? [];
    if (commit === undefined) throw brokenError(this.url);
    return commit;
  }

  /** Returns false if the remote is no longer at the expected commit. */
  async push(commit: string, expected: string | undefined, { rewrite = false } = {}): Promise<boolean> {
    const { url, ref } = this.#options;
    const lease = rewrite ? [`--force-with-lease=${ref}:${expected ?? ''}`] : [];
    const args = ['push', '-q', '--no-verify', '--no-signed', ...lease, url, `${commit}:${ref}`];
    try {
      await this.#run(args, this.#online('push to'));
      await this.#run(['update-ref', known, commit]);
      return true;
    } catch (error) {
      if (error instanceof LoreError && error.word === 'conflict') return false;
      throw error;
    }
  }

  /** Packs what accumulated; with `prune`, content that no commit has any more is deleted. */
  async tidy({ prune = false } = {}): Promise<void> {
    const count = Number(/^\d+/.exec(await this.#run(['count-objects']))?.[0] ?? 0);
    if (!prune && count < mostLoose) return;
    await this.#run(['update-ref', '-d', written]);
    await this.#run(['repack', '-a', '-d', '-q']);
    await this.#run(['prune', '--expire=now']);
  }

  #online(verb: string): GitLimits {
    const { url } = this.#options;
    const explain = (complaint: string) => explainPush(verb, url, complaint) ?? explainOnline(verb, url, complaint);
    return {
      online: { action: `${verb} "${url}"`, explain },
      settings: { GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh' },
    };
  }

  async #run(args: readonly string[], limits: GitLimits = {}): Promise<string> {
    const { signal } = this.#options;
    const parts: string[] = [];
    const bounds = { maxBytes, isOwn: true, ...(signal && { signal }), ...limits };
    for await (const part of streamGit(this.#home, [...settings, ...args], bounds)) parts.push(part);
    return parts.join('');
  }
}

const stale =
  /fetch first|non-fast-forward|stale info|cannot lock ref|failed to lock|incorrect old value|failed to update ref|reference already exists|\.lock': File exists/i;
const refused =
  /denying|hook declined|protected|not allowed to push|unpacker error|unable to (?:write|create)|insufficient permission|read.only|remote rejected/i;

function explainPush(verb: string, url: string, complaint: string): LoreError | undefined {
  if (/denying non-fast-forward|non-fast-forward.*denied|denyNonFastforwards/i.test(complaint)) {
    return new LoreError('forbidden', `Cannot ${verb} "${url}": it does not allow history to be rewritten`, {
      hint: 'Allow it for refs/lore/* there, or delete that reference and sync again.',
    });
  }
  if (stale.test(complaint)) return new LoreError('conflict', `Cannot ${verb} "${url}": others pushed meanwhile`);
  if (!refused.test(complaint)) return undefined;
  return new LoreError('forbidden', `Cannot ${verb} "${url}": it does not accept changes from you`, {
    hint: 'What others share is still read. Ask for permission to push refs/lore/*, or choose another remote.',
  });
}

function brokenError(url: string): LoreError {
  return new LoreError('unavailable', `Cannot read what git wrote for "${url}"`, { hint: 'Run lore sync now again.' });
}
