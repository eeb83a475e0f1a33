// The domain: nodes and edges with scope, time and provenance, kept in a store and found through the index. Every change
// is one transaction that also records who made it and what was there before.
import type { Soon } from '../core/attempt.ts';
import { loadCrypto } from '../core/crypto.ts';
import { LoreError } from '../core/error.ts';
import { createId } from '../core/id.ts';
import { redact, redactDeep } from '../core/redact.ts';
import { countTerms, type Document } from '../search/document.ts';
import { type FusedHit, fuse } from '../search/fuse.ts';
import { SearchIndex } from '../search/search-index.ts';
import { list, type Sql, sql } from '../store/sql.ts';
import type { Store, Transaction } from '../store/store.ts';
import { extractEntities } from './entity.ts';
import { type Edge, isCurrent, type NewNode, type Node, type NodeRow, readNode } from './node.ts';

/** Turns texts into vectors of one model. */
export interface Embedder {
  readonly id: string;
  embed(texts: readonly string[]): Soon<readonly Int8Array[]>;
}

export interface GraphOptions {
  store: Store;
  embedder?: Embedder;
  now?: () => number;
}

export interface FindOptions {
  query: string;
  /** Which projects to look in; reading across projects is always explicit. */
  projects: readonly string[];
  kinds?: readonly string[];
  limit?: number;
  /** As of this time instead of now. */
  at?: number;
  /** Also what has expired or been superseded. */
  past?: boolean;
}

export interface Found {
  node: Node;
  score: number;
  text: number;
  vector: number;
}

export interface ChangeRecord {
  id: string;
  at: number;
  actor: string;
  action: string;
  before: Partial<Node> | undefined;
}

type Action = 'put' | 'update' | 'expire' | 'supersede' | 'forget' | 'restore';

export class Graph {
  readonly #store: Store;
  readonly #index: SearchIndex;
  readonly #embedder: Embedder | undefined;
  readonly #now: () => number;

  constructor({ store, embedder, now = Date.now }: GraphOptions) {
    this.#store = store;
    this.#index = new SearchIndex(store);
    this.#embedder = embedder;
    this.#now = now;
  }

  /** Stores nodes, and what they mention. When it resolves, they are on disk and can be found. */
  async put(news: readonly NewNode[], actor: string): Promise<Node[]> {
    const at = this.#now();
    const nodes = news.map((given) => this.#create(given, at));
    const documents = await this.#describe(nodes);
    await this.#store.tx(async (tx) => {
      for (const node of nodes) {
        await insertNode(tx, node);
        await this.#record(tx, node, actor, 'put', at);
        await this.#mention(tx, node, at);
      }
      await this.#index.put(tx, documents);
    });
    return nodes;
  }

  async get(id: string): Promise<Node | undefined> {
    return (await this.getAll([id]))[0];
  }

  async getAll(ids: readonly string[]): Promise<Node[]> {
    if (ids.length === 0) return [];
    const rows = await this.#store.all<NodeRow>(sql`select * from node where id in ${list(ids)}`);
    const found = new Map(rows.map((row) => [row.id, readNode(row)]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** The newest of a kind first. */
  async recent(project: string, kinds: readonly string[], limit: number): Promise<Node[]> {
    const rows = await this.#store.all<NodeRow>(
      sql`select * from node where project = ${project} and kind in ${list(kinds)} and forgotten_at is null
          and superseded_by is null and (valid_to is null or valid_to > ${this.#now()})
          order by created_at desc, id desc limit ${limit}`,
    );
    return rows.map(readNode);
  }

  /** Words and meaning together; only what the scope, the time and the filters allow. */
  async find(options: FindOptions): Promise<Found[]> {
    const { query, projects, kinds, limit = 10, past = false } = options;
    if (projects.length === 0) return [];
    const at = options.at ?? this.#now();
    const scope = { projects, kinds };
    const vector = this.#embedder && (await this.#embedder.embed([query]))[0];
    // Filters that the index does not know may take some of what it finds: then more is asked for.
    for (let reach = Math.max(50, limit * 3); ; reach *= 4) {
      const text = await this.#index.findByText(query, scope, reach);
      const near =
        vector && this.#embedder ? await this.#index.findByVector(vector, this.#embedder.id, scope, reach) : [];
      const fused = fuse(text, near);
      const found = await this.#admit(fused, (node) => (past ? node.forgottenAt === undefined : isCurrent(node, at)));
      const exhausted = text.length < reach && near.length < reach;
      if (found.length >= limit || exhausted || reach > 100_000) return found.slice(0, limit);
    }
  }

  /** Puts into the index what is in the graph and not in the index, and says how many nodes that were. */
  async reindex(): Promise<number> {
    for (let done = 0; ; ) {
      const rows = await this.#store.all<NodeRow>(
        sql`select node.* from node left join indexed on indexed.node_id = node.id
            where indexed.node_id is null and node.kind <> 'entity' order by node.id limit ${500}`,
      );
      if (rows.length === 0) return done;
      const documents = await this.#describe(rows.map(readNode));
      await this.#store.tx((tx) => this.#index.put(tx, documents));
      done += rows.length;
    }
  }

  async link(edge: { from: string; kind: string; to: string; weight?: number; data?: Edge['data'] }): Promise<void> {
    const ends = await this.getAll([edge.from, edge.to]);
    const missing = [edge.from, edge.to].find((id) => !ends.some((node) => node.id === id));
    if (missing) throw new LoreError('not_found', `Cannot link "${missing}": it does not exist`);
    const project = (ends[0] as Node).project;
    await this.#store.run(insertEdge({ weight: 1, data: {}, ...edge, project, createdAt: this.#now() }));
  }

  async expire(id: string, actor: string, at = this.#now()): Promise<void> {
    await this.#change(id, actor, 'expire', sql`valid_to = ${at}`);
  }

  /** The old node stays, marked, with an edge to what took its place. */
  async supersede(oldId: string, newId: string, actor: string): Promise<void> {
    await this.#change(oldId, actor, 'supersede', sql`superseded_by = ${newId}`);
    await this.link({ from: newId, kind: 'supersedes', to: oldId });
  }

  async forget(id: string, actor: string): Promise<void> {
    await this.#change(id, actor, 'forget', sql`forgotten_at = ${this.#now()}`);
  }

  /** Undoes `forget`, `expire` and `supersede`. */
  async restore(id: string, actor: string): Promise<void> {
    await this.#change(id, actor, 'restore', sql`forgotten_at = null, valid_to = null, superseded_by = null`);
  }

  async history(id: string): Promise<ChangeRecord[]> {
    const rows = await this.#store.all<{
      id: string;
      at: number;
      actor: string;
      action: string;
      before: string | null;
    }>(sql`select id, at, actor, action, before from change where node_id = ${id} order by id`);
    return rows.map(({ before, ...rest }) => ({ ...rest, before: before === null ? undefined : JSON.parse(before) }));
  }

  #create(given: NewNode, at: number): Node {
    // Before anything else: a secret must reach neither disk nor index.
    const title = redact(given.title ?? '').text;
    const text = redact(given.text).text;
    const { kind, project } = given;
    return {
      id: given.id ?? createId('n'),
      project,
      kind,
      title,
      text,
      data: redactDeep(given.data ?? {}),
      importance: given.importance ?? 0.5,
      confidence: given.confidence ?? 1,
      source: redact(given.source ?? '').text,
      createdAt: at,
      updatedAt: at,
      accessedAt: at,
      validFrom: given.validFrom ?? at,
      validTo: given.validTo,
      supersededBy: undefined,
      forgottenAt: undefined,
      hash: hashOf(kind, title, text),
    };
  }

  async #describe(nodes: readonly Node[]): Promise<Document[]> {
    const texts = nodes.map(({ title, text }) => (title === '' ? text : `${title}\n${text}`));
    const vectors = (await this.#embedder?.embed(texts)) ?? [];
    return nodes.map(({ id, project, kind, title, text }, at) => ({
      id,
      project,
      kind,
      model: vectors[at] ? (this.#embedder?.id ?? '') : '',
      vector: vectors[at],
      ...countTerms(title, text),
    }));
  }

  /** Entities named in a text become nodes of their own, the same for every text that names them. */
  async #mention(tx: Transaction, node: Node, at: number): Promise<void> {
    if (node.kind === 'entity') return;
    for (const entity of extractEntities(`${node.title}\n${node.text}`)) {
      const id = `ent_${digest([node.project, entity.kind, entity.name]).slice(0, 24)}`;
      await tx.run(
        insertSql({
          ...this.#create({ id, project: node.project, kind: 'entity', title: entity.name, text: entity.kind }, at),
          data: { entity: entity.kind },
        }),
      );
      const { project } = node;
      await tx.run(
        insertEdge({ from: node.id, kind: 'mentions', to: id, project, weight: 1, data: {}, createdAt: at }),
      );
    }
  }

  async #admit(hits: readonly FusedHit[], allows: (node: Node) => boolean): Promise<Found[]> {
    const nodes = new Map((await this.getAll(hits.map(({ id }) => id))).map((node) => [node.id, node]));
    return hits.flatMap(({ id, score, text, vector }) => {
      const node = nodes.get(id);
      return node && allows(node) ? [{ node, score, text, vector }] : [];
    });
  }

  async #change(id: string, actor: string, action: Action, set: Sql): Promise<void> {
    const at = this.#now();
    await this.#store.tx(async (tx) => {
      const row = await tx.one<NodeRow>(sql`select * from node where id = ${id}`);
      if (!row) throw new LoreError('not_found', `Cannot ${action} "${id}": it does not exist`);
      await tx.run(sql`update node set ${set}, updated_at = ${at} where id = ${id}`);
      await this.#record(tx, readNode(row), actor, action, at);
    });
  }

  async #record(tx: Transaction, node: Node, actor: string, action: Action, at: number): Promise<void> {
    const { id, project, validTo, supersededBy, forgottenAt } = node;
    const before = action === 'put' ? null : JSON.stringify({ validTo, supersededBy, forgottenAt });
    await tx.run(
      sql`insert into change (id, node_id, project, at, actor, action, before)
          values (${createId('chg')}, ${id}, ${project}, ${at}, ${actor}, ${action}, ${before})`,
    );
  }
}

async function insertNode(tx: Transaction, node: Node): Promise<void> {
  const changed = await tx.run(insertSql(node));
  if (changed === 0) throw new LoreError('conflict', `Cannot put "${node.id}": it is there already`);
}

function insertSql(node: Node): Sql {
  return sql`insert into node (id, project, kind, title, text, data, importance, confidence, source, created_at,
      updated_at, accessed_at, valid_from, valid_to, superseded_by, forgotten_at, hash)
    values (${node.id}, ${node.project}, ${node.kind}, ${node.title}, ${node.text}, ${JSON.stringify(node.data)},
      ${node.importance}, ${node.confidence}, ${node.source}, ${node.createdAt}, ${node.updatedAt},
      ${node.accessedAt}, ${node.validFrom}, ${node.validTo ?? null}, ${node.supersededBy ?? null},
      ${node.forgottenAt ?? null}, ${node.hash})
    on conflict (id) do nothing`;
}

function insertEdge({ from, kind, to, project, weight, data, createdAt }: Edge): Sql {
  return sql`insert into edge (from_id, kind, to_id, project, weight, data, created_at)
    values (${from}, ${kind}, ${to}, ${project}, ${weight}, ${JSON.stringify(data)}, ${createdAt})
    on conflict (from_id, kind, to_id) do update set weight = excluded.weight, data = excluded.data`;
}

export function hashOf(kind: string, title: string, text: string): string {
  return digest([kind, title, text]);
}

function digest(parts: readonly string[]): string {
  return loadCrypto().createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
