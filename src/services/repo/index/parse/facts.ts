// The result of parsing one file: plain data from a worker thread to the main thread, partly stored.
import type { SymbolKind } from '../language/language.ts';

export interface SymbolFacts {
  name: string;
  /** With the names of its containers: `Graph.put`. */
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

/** `owner` is the index of the symbol that contains the call; -1 for the file. `on` is the receiver, if it is a plain name. */
export type CallFacts = readonly [owner: number, name: string, on?: string];

export interface ImportFacts {
  from: string;
  /** Its name here, and its name there. */
  names: [local: string, original: string][];
  /** What the whole is called here. */
  alias?: string;
}

/** Links of a file to others, stored so that they can be resolved again when the others change. */
export interface LinkFacts {
  imports: ImportFacts[];
  calls: CallFacts[];
  /** What a symbol extends or implements. */
  parents: CallFacts[];
  /** Names and paths that a document mentions. */
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
