// The only way out of the database: decides what of a memory may leave, and nothing else is ever sent. Fields are named one by one;
// sources, sessions, citations, keys, access times and derived nodes have no place among them. A memory that contains a secret
// or a path in somebody's home folder is refused, not cleaned: its author should know.
import { homedir } from 'node:os';
import { findSecrets } from '../../core/secret/redact.ts';
import { list, sql } from '../../store/sql.ts';
import type { Transaction } from '../../store/store.ts';
import { derivedEdges } from '../derived/tables.ts';
import { keyEdge } from '../key-edge.ts';
import { mayDisagree, type Node } from '../node.ts';
import { isUser } from '../project/user.ts';
import type { SharedLevel } from './level.ts';
import type { SharedFields, SharedLink } from './op.ts';

/** What may leave of a memory, as it is here or as the log has it. */
export interface SharedState {
  fields: SharedFields & { text: string };
  tags: readonly string[];
  forgotten: boolean;
  /** A shared memory that supersedes it. */
  successor: string | undefined;
  since: number;
  links: readonly SharedLink[];
}

/** Edges that are derived, or that lead to something private. */
export const ownEdges: readonly string[] = ['mentions', 'in', 'supersedes', keyEdge, mayDisagree, ...derivedEdges];

/** Links of memories to others, shared or not. */
export async function readLinks(
  store: Pick<Transaction, 'all'>,
  ids: readonly string[],
): Promise<Map<string, SharedLink[]>> {
  const rows = await store.all<{ from_id: string; kind: string; to_id: string; weight: number }>(
    sql`select from_id, kind, to_id, weight from edge where from_id in ${list(ids)} and kind not in ${list(ownEdges)}
        order by from_id, kind, to_id`,
  );
  const found = new Map<string, SharedLink[]>();
  for (const { from_id: from, kind, to_id: to, weight } of rows) {
    found.set(from, [...(found.get(from) ?? []), { kind, to, weight }]);
  }
  return found;
}

export function describeShared(node: Node, links: readonly SharedLink[], isLive: (id: string) => boolean): SharedState {
  const { kind, knowledge, tags, said } = node.data as {
    kind?: string;
    knowledge?: string;
    tags?: string[];
    said?: number;
  };
  const successor = node.supersededBy !== undefined && isLive(node.supersededBy) ? node.supersededBy : undefined;
  return {
    fields: {
      title: node.title,
      text: node.text,
      kind: String(kind ?? ''),
      knowledge: String(knowledge ?? ''),
      importance: node.importance,
      confidence: node.confidence,
      created: node.createdAt,
      said: typeof said === 'number' ? said : null,
      // A supersession ends it as well, and is sent by itself.
      expires: node.supersededBy === undefined ? (node.validTo ?? null) : null,
    },
    tags: [...new Set(tags ?? [])].sort(),
    forgotten: node.forgottenAt !== undefined,
    successor,
    since: node.validTo ?? node.updatedAt,
    links: links.filter(({ to }) => isLive(to)),
  };
}

/** Why a memory must not leave at this level; undefined if it may. */
export function findRefusal(
  node: Pick<Node, 'kind' | 'project' | 'title' | 'text' | 'data'>,
  level: SharedLevel,
  { root }: { root: string },
): string | undefined {
  if (node.kind !== 'memory') return `it is a ${node.kind}, and only memories are shared`;
  if (isUser(node.project)) return 'it is about the user, not about the project';
  const { kind, tags = [] } = node.data as { kind?: string; tags?: string[] };
  if (level === 'team' && kind === 'preference') return 'it is a preference of a person';
  const texts = [node.title, node.text, ...tags];
  const [secret] = texts.flatMap(findSecrets);
  if (secret) return `it contains a secret (${secret.rule})`;
  if (texts.some((text) => namesHome(text, root))) return 'it contains a path in a home folder or of this clone';
  return undefined;
}

/** Home folders have names of people in them. An option of a compiler may stand right before one. */
const homes = /(?:^|[^\w.]|\s-[A-Za-z])(?:\/home\/|\/Users\/|\/root\/|[A-Za-z]:[\\/]+Users[\\/]+)[^\s/\\]/;

function namesHome(text: string, root: string): boolean {
  return homes.test(text) || [homedir(), root].some((path) => path.length > 3 && namesPath(text, path));
}

function namesPath(text: string, path: string): boolean {
  // "/root" is also a part of words: poles/roots, tree/root.
  const isOne = path.lastIndexOf('/') === 0;
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    const isPart = /[\w-]/.test(text.charAt(at + path.length)) || (isOne && /[\w.]/.test(text.charAt(at - 1)));
    if (!isPart) return true;
  }
  return false;
}
