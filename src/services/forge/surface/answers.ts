// Answers that did not fit a budget: redacted files that only their owner can read. Each belongs to one caller in one project, can
// be read like a tool by its name, and is deleted after a day, or earlier if there are too many.
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Caller } from '../../../core/call.ts';
import { hashHex } from '../../../core/crypto.ts';
import { LoreError } from '../../../core/error.ts';
import { createSecretId } from '../../../core/id.ts';
import { answerSource, splitToolName, toolNameOf } from '../../../core/tool-provider.ts';
import type { Folders } from '../../../graph/project/grant.ts';

const ending = '.answer';
const longestMs = 24 * 60 * 60 * 1000;
/** Together, beside which the newest is always stored. */
const most = { files: 200, bytes: 128 * 1024 * 1024 };
const idLength = 16;
const validId = /^[tf][0-9a-f]{16}$/;

export class AnswerStore {
  readonly #folder: string;
  readonly #folders: Pick<Folders, 'list'>;

  constructor(folder: string, folders: Pick<Folders, 'list'>) {
    this.#folder = folder;
    this.#folders = folders;
  }

  /** Returns the name by which the same caller can read it. A text must be redacted. */
  async put(content: string | Uint8Array, caller: Caller): Promise<string> {
    const id = `${typeof content === 'string' ? 't' : 'f'}${hashHex(createSecretId()).slice(0, idLength)}`;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await this.#clean();
    const file = this.#path(await this.#ownerOf(caller), id);
    try {
      await writeFile(`${file}.draft`, content, { mode: 0o600 });
      await rename(`${file}.draft`, file);
    } catch (error) {
      await rm(`${file}.draft`, { force: true });
      const { code } = error as NodeJS.ErrnoException;
      throw new LoreError('unavailable', `Cannot store the answer: ${code}`, {
        hint: 'Raise budget_tokens, or request less.',
        cause: error,
      });
    }
    return toolNameOf(answerSource, id);
  }

  async get(name: string, caller: Caller): Promise<string | Buffer> {
    const { tool: id } = splitToolName(name);
    const content = validId.test(id)
      ? await readFile(this.#path(await this.#ownerOf(caller), id)).catch(() => undefined)
      : undefined;
    if (content) return id.startsWith('t') ? content.toString() : content;
    throw new LoreError('not_found', `Cannot read "${name}": it does not exist in this project, or has expired`, {
      hint: 'Answers are stored for a day. Run the tool again.',
    });
  }

  /** Another project, or another caller of the same server, gets another name of the file. */
  async #ownerOf(caller: Caller): Promise<string> {
    const project = await this.#folders.list(caller).then(
      ({ tops }) => tops[0],
      () => undefined,
    );
    return hashHex(JSON.stringify([caller.id, project ?? ''])).slice(0, 2 * idLength);
  }

  async #clean(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => name.includes(ending));
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name);
        // Another process may just have deleted it.
        const { mtimeMs = 0, size = 0 } = (await stat(path).catch(() => undefined)) ?? {};
        return { path, mtimeMs, size };
      }),
    );
    const oldest = Date.now() - longestMs;
    let [count, bytes] = [0, 0];
    for (const { path, mtimeMs, size } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
      count++;
      bytes += size;
      if (mtimeMs < oldest || count >= most.files || bytes > most.bytes) await rm(path, { force: true });
    }
  }

  #path(owner: string, id: string): string {
    return join(this.#folder, `${owner}.${id}${ending}`);
  }
}
