// A text during the search for entities. Each finder masks what it claims, so that a word is one entity only: the order of the
// finders (entity.ts) decides which.

export type EntityKind = 'file' | 'symbol' | 'package' | 'error' | 'url';

export interface Entity {
  kind: EntityKind;
  /** Equal for every spelling of the same entity. */
  name: string;
  /** As written. */
  text: string;
}

interface Found extends Entity {
  at: number;
}

/** Replaces claimed text: neither a word nor a space, so that no match crosses it. */
export const blot = '\uE000';

/** Most distinct names of a kind, so that memory is bounded. */
const maxKept = 512;

export class EntityDraft {
  readonly source: string;
  /** The source with claimed text masked; offsets are the same. */
  text: string;
  readonly #found = new Map<EntityKind, Map<string, Found>>();
  #claimed: [start: number, end: number][] = [];

  constructor(source: string) {
    this.source = source;
    this.text = source;
  }

  add(kind: EntityKind, name: string, start: number, end: number, text = this.source.slice(start, end)): void {
    const names = this.#found.get(kind) ?? new Map<string, Found>();
    this.#found.set(kind, names);
    const known = names.get(name);
    if (known ? known.at <= start : names.size >= maxKept) return;
    names.set(name, { kind, name, text, at: start });
  }

  claim(kind: EntityKind, name: string, start: number, end: number, text?: string): void {
    this.add(kind, name, start, end, text);
    this.hide(start, end);
  }

  /** From left to right, as a finder reads; takes effect at its end. */
  hide(start: number, end: number): void {
    this.#claimed.push([start, end]);
  }

  settle(): void {
    const claimed = this.#claimed.sort((a, b) => a[0] - b[0]);
    if (claimed.length === 0) return;
    const parts: string[] = [];
    let at = 0;
    for (const [start, end] of claimed) {
      if (start > at) parts.push(this.text.slice(at, start));
      if (end > at) parts.push(blot.repeat(end - Math.max(start, at)));
      at = Math.max(at, end);
    }
    parts.push(this.text.slice(at));
    this.text = parts.join('');
    this.#claimed = [];
  }

  found(kind: EntityKind): Found[] {
    return [...(this.#found.get(kind)?.values() ?? [])].sort((a, b) => a.at - b.at);
  }
}
