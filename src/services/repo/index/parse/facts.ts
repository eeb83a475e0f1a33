// The result of parsing one file: plain data from a worker thread to the main thread, partly stored.
import type { SymbolKind } from '../language/language.ts';

export interface SymbolFacts {
  name: string;
  /** With the names of what it is in: `Graph.put`. */
  qualified: string;
  kind: SymbolKind;
  /** Lines, counted from 1, both included. */
  start: number;
  end: number;
  signature: string;
  doc: string;
  exported: boolean;
  /** Which of the file's symbols it is in, by place; -1 for the file. */
  parent: number;
}

/** `owner` is the symbol, by place, in whose lines it stands; -1 for the file. `on` is what it is called on, if plain. */
export type CallFacts = readonly [owner: number, name: string, on?: string];

export interface ImportFacts {
  from: string;
  /** Its name here, and its name there. */
  names: [local: string, original: string][];
  /** What the whole is called here. */
  alias?: string;
}

/** What ties a file to others; kept, so that it can be tied anew when the others change. */
export interface LinkFacts {
  imports: ImportFacts[];
  calls: CallFacts[];
  /** What a symbol extends or implements. */
  parents: CallFacts[];
  /** Names and paths that a document speaks of. */
  mentions: string[];
  /** The qualified names of the file's symbols, by place. */
  owners: string[];
}

export interface FileFacts {
  symbols: SymbolFacts[];
  links: LinkFacts;
  /** What its first comment says. */
  head: string;
}
