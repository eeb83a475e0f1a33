// What each client has been shown: a long answer that it got a moment ago is cited instead of repeated, with a handle to read it
// again, because its model may have forgotten it. Only for models: a program needs the data.
import type { Call } from '../../../core/call.ts';
import { hashHex } from '../../../core/crypto.ts';

export interface ShownAnswer {
  /** The tool that returned it. */
  readonly tool: string;
  readonly at: number;
  /** Where it is stored, if it is. */
  handle?: string | undefined;
}

/** In characters; a citation has about 200. */
const leastCited = 2_000;
const citedForMs = 15 * 60_000;
const mostShown = 200;

export class ShownAnswers {
  readonly #clients = new WeakMap<object, SessionAnswers>();

  of({ client, receives }: Call): SessionAnswers | undefined {
    if (client === undefined || receives !== 'text') return undefined;
    const known = this.#clients.get(client) ?? new SessionAnswers();
    this.#clients.set(client, known);
    return known;
  }
}

export class SessionAnswers {
  readonly #shown = new Map<string, ShownAnswer>();

  /** Undefined if it is too short to be cited. */
  digest(whole: string): string | undefined {
    return whole.length < leastCited ? undefined : hashHex(whole);
  }

  find(digest: string): ShownAnswer | undefined {
    const shown = this.#shown.get(digest);
    return shown && Date.now() - shown.at < citedForMs ? shown : undefined;
  }

  note(digest: string, tool: string, handle: string | undefined): void {
    this.#shown.delete(digest);
    this.#shown.set(digest, { tool, at: Date.now(), handle });
    const [oldest] = this.#shown.keys();
    if (this.#shown.size > mostShown && oldest !== undefined) this.#shown.delete(oldest);
  }
}
