// Watches operations for clients that follow them: one timer reads each row, however many clients follow it, and runs only
// while there are followers.
import type { App } from '../app.ts';

const lookMs = 500;

interface Watch {
  listeners: Set<() => void>;
  timer: NodeJS.Timeout;
}

export class OperationWatch {
  readonly #graph: App['graph'];
  readonly #watched = new Map<string, Watch>();

  constructor(graph: App['graph']) {
    this.#graph = graph;
  }

  /** Calls back when the operation changed or can no longer be read. Returns a function that stops it. */
  follow(id: string, listener: () => void): () => void {
    const watch = this.#watched.get(id) ?? this.#start(id);
    watch.listeners.add(listener);
    return () => {
      watch.listeners.delete(listener);
      if (watch.listeners.size > 0) return;
      clearInterval(watch.timer);
      this.#watched.delete(id);
    };
  }

  #start(id: string): Watch {
    let seen: string | undefined;
    let isLooking = false;
    const look = async () => {
      if (isLooking) return;
      isLooking = true;
      const now = await this.#read(id);
      isLooking = false;
      if (now === seen) return;
      seen = now;
      for (const listener of watch.listeners) listener();
    };
    const watch: Watch = { listeners: new Set(), timer: setInterval(() => void look(), lookMs) };
    this.#watched.set(id, watch);
    void look();
    return watch;
  }

  async #read(id: string): Promise<string> {
    try {
      const { operations } = await this.#graph.open();
      return JSON.stringify(await operations.get(id)) ?? '';
    } catch {
      return '';
    }
  }
}
