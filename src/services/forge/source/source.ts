// A source: an API whose operations are tools, or code on this machine. Its document is stored once, as JSON, under the hash of its content; beside it
// lies the catalog, which is all that a search reads.
import type { Reach } from '../../../core/outgoing/connect.ts';
import type { Effect } from '../../../core/tool.ts';
import type { ToolEdit } from './edit.ts';

export interface Source {
  readonly name: string;
  readonly title: string;
  /** As in `OpenAPI 3.1`. */
  readonly format: string;
  /** The file or address it was read from, and the folder that its other files must be in. */
  readonly from: string;
  readonly root?: string;
  /** The address of its document, which relative servers refer to; empty for a file. */
  readonly address: string;
  /** Replaces the servers of the document. */
  readonly base?: string;
  /** The origin of its server when a person added it: the only one that gets credentials. */
  readonly origin: string;
  /** Private networks are reached only at `origin`, and only if a person added the source. */
  readonly reach: Reach;
  /** The hash of its document. */
  readonly document: string;
  readonly operations: number;
  /** Its tools are functions of a repository, or commands of a program; `origin` is its path. */
  readonly code?: 'repository' | 'program';
  /** The repository that it was found in, by the name of its source. */
  readonly repository?: string;
  /** Only callers in this folder can use it. */
  readonly project?: string;
  readonly addedAt: number;
  readonly updatedAt: number;
}

export interface CatalogEntry {
  /** Without the name of the source. */
  readonly name: string;
  /** Identifies the operation in its document: `get /pets/{id}`. */
  readonly key: string;
  readonly effect: Effect;
  readonly summary: string;
  /** The beginning of its description. */
  readonly description: string;
  /** Tags, and the names of parameters and of the body's properties. */
  readonly words: string;
  /** The names of the properties of its response. */
  readonly returns: string;
  /** The arguments on one line; required ones have a star. */
  readonly signature: string;
  readonly isDeprecated: boolean;
  /** What a person changed. */
  readonly edit?: ToolEdit;
}
