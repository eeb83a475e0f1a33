// The domain: nodes and edges with scope, time and provenance, in a store and a search index. Every change is one transaction
// that also records its author and the previous state.
import type { Soon } from '../core/attempt.ts';
import { LoreError } from '../core/error.ts';
import { runSoon, type Steps, yieldTurn } from '../core/steps.ts';
import { analyzeQuery } from '../search/analyze.ts';
import { type Document, gatherTerms } from '../search/document.ts';
import { type FusedHit, fuse } from '../search/fuse.ts';
import { putFresh } from '../search/put.ts';
import type { DeepRanker } from '../search/rank/deep/ranker.ts';
import { SearchIndex, type Weighing } from '../search/search-index.ts';
import { list, type Sql, sql } from '../store/sql.ts';
import type { Store, Transaction } from '../store/store.ts';
import { createChangeId } from './change-id.ts';
import { createNodes, skim } from './create-node.ts';
import { findMentioned } from './entity/mention.ts';
import { lockKeys, takeKeys } from './key-edge.ts';
import {
  type Edge,
  isCurrent,
  type NewNode,
  type Node,
  type NodePosition,
  type NodeRow,
  readNode,
  wasValid,
} from './node.ts';
import {
  type Action,
  byTime,
  changeNode,
  insertChanges,
  insertEdges,
  insertNodes,
  isCurrentSql,
  isEarlierSql,
  isRecorded,
  readEach,
  refuseRepeated,
  refuseSuperseded,
  type Supersession,
  supersedeAll,
} from './statement.ts';
import {
  type IsEnough,
  type NodeFacts,
  type SurveyHit,
  surveyHits,
  surveyWeighed,
  type WeighedNode,
} from './survey.ts';

/** Converts texts to vectors of one model. */
export interface Embedder {
  /** Id of the model: vectors of two models are not compared. Read it after `embed`, which may set it. */
  readonly id: string;
  /** Empty if the endpoint is unavailable; then only words are used. */
  embed(texts: readonly string[], use: 'query' | 'document'): Soon<readonly Int8Array[]>;
}

interface GraphOptions {
  store: Store;
  embedder?: Embedder;
  openDeep?: DeepRanker['open'];
  now?: () => number;
}

interface FindOptions {
  query: string;
  /** Projects to read; reading across projects is always explicit. */
  projects: readonly string[];
  kinds?: readonly string[] | undefined;
  limit?: number;
  /** Return what was valid at this time, instead of now. */
  at?: number;
  /** Include expired and superseded nodes. */
  past?: boolean;
  /** By words only. */
  by?: 'words';
  /** Initial number of candidates by words and by meaning. */
  reach?: number;
  /** A filter for results. */
  where?: (node: NodeFacts) => boolean;
  /** Ends a survey before the limit. */
  isEnough?: IsEnough | undefined;
}

export interface FoundNode extends Omit<FusedHit, 'number'> {
  node: Node;
}

/** Written in the same transaction as new nodes. */
interface Also {
  edges?: readonly NewEdge[];
  supersede?: readonly Supersession[];
  /** Refuse nodes with the same words as a valid node of the project. */
  once?: boolean;
  /** False if the mentions are not needed: finding them takes as long as everything else. */
  mentions?: boolean;
}

export interface NewEdge {
  from: string;
  kind: string;
  to: string;
  weight?: number;
  data?: Edge['data'];
}

interface ChangeRecord {
  id: string;
  at: number;
  actor: string;
  action: string;
  before: Partial<Node> | undefined;
}

export class Graph {
  readonly #store: Store;
  readonly #index: SearchIndex;
  readonly #embedder: Embedder | undefined;
  readonly #now: () => number;
  /** The deep stage of the ranking, unless the fast order is final. */
  readonly openDeep: DeepRanker['open'];

  constructor({ store, embedder, openDeep = () => undefined, now = () => store.now() }: GraphOptions) {
    this.#store = store;
    this.#index = new SearchIndex(store);
    this.#embedder = embedder;
    this.#now = now;
    this.openDeep = openDeep;
  }

  /** The current time. */
  now(): number {
    return this.#now();
  }

  /** Stores nodes and their mentions. When it resolves, they are on disk and can be found. */
  async put(news: readonly NewNode[], actor: string, also: Also = {}): Promise<Node[]> {
    const at = await this.#timeAfterOthers(news);
    const nodes = await runSoon(createNodes(news, at));
    const documents = await this.describe(nodes);
    const mentioned = findMentioned(also.mentions === false ? [] : nodes, at);
    const changes = nodes.map((node) => ({ id: createChangeId(this.#now()), node, actor, action: 'put' as const, at }));
    const project = nodes[0]?.project ?? '';
    const own = (also.edges ?? []).map((edge) => ({ weight: 1, data: {}, ...edge, project, createdAt: at }));
    const store = async (tx: Transaction) => {
      await lockKeys(tx, own);
      if (also.once) {
        for (const node of nodes) await refuseRepeated(tx, node, at);
        await refuseSuperseded(tx, also.supersede ?? []);
      }
      const added = await insertNodes(tx, nodes);
      if (added < nodes.length) throw conflictError(nodes, nodes.length - added);
      await insertChanges(tx, changes);
      await insertNodes(tx, mentioned.entities);
      await insertEdges(tx, [...mentioned.edges, ...own]);
      await supersedeAll(tx, also.supersede ?? [], { project, actor, at });
      await takeKeys(tx, own, { project, actor, at });
      await putFresh(tx, documents);
    };
    await this.#store.tx(store, { taken: (tx) => isRecorded(tx, changes[0]?.id) });
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

  /** The newest valid node with one of these hashes. */
  async getByHash(projects: readonly string[], hashes: readonly string[]): Promise<Node | undefined> {
    const row = await this.#store.one<NodeRow>(
      sql`select * from node where project in ${list(projects)} and hash in ${list(hashes)} ${isCurrentSql(this.#now())}
          order by id desc limit 1`,
    );
    return row && readNode(row);
  }

  /** Valid nodes, newest or most important first. */
  async recent(
    projects: readonly string[],
    kinds: readonly string[],
    limit: number,
    { by = 'time', before }: { by?: 'time' | 'importance'; before?: NodePosition } = {},
  ): Promise<Node[]> {
    const order = by === 'time' ? sql`created_at desc, id desc` : sql`importance desc, created_at desc, id desc`;
    const at = this.#now();
    const found = await readEach(projects, (project) =>
      this.#store.all<NodeRow>(
        sql`select * from node where project = ${project} and kind in ${list(kinds)}
            ${isCurrentSql(at)} ${isEarlierSql(before)} order by ${order} limit ${limit}`,
      ),
    );
    const weigh = (node: NodeRow) => (by === 'time' ? 0 : node.importance);
    return found
      .sort((a, b) => weigh(b) - weigh(a) || byTime(a, b))
      .slice(0, limit)
      .map(readNode);
  }

  /** Search by words and meaning, limited by scope, time and filters. */
  async find(options: FindOptions): Promise<FoundNode[]> {
    return this.readHits(await this.survey(options));
  }

  /** With their texts. */
  async readHits(hits: readonly SurveyHit[]): Promise<FoundNode[]> {
    const nodes = new Map((await this.getAll(hits.map(({ node }) => node.id))).map((node) => [node.id, node]));
    return hits.flatMap(({ node: { id }, ...hit }) => {
      const node = nodes.get(id);
      return node ? [{ node, ...hit }] : [];
    });
  }

  /** The same without texts, for ranking many nodes of which few are read. */
  async survey(options: FindOptions): Promise<SurveyHit[]> {
    const { query, projects, kinds, limit = 10, past = false, where, isEnough } = options;
    if (projects.length === 0) return [];
    const terms = analyzeQuery(query);
    await yieldTurn();
    const { at } = options;
    const now = this.#now();
    const embedder = options.by === 'words' ? undefined : this.#embedder;
    const vector = (await embedder?.embed([query], 'query'))?.[0];
    const meaning = vector && embedder ? { vector, model: embedder.id } : undefined;
    const allows = (node: NodeFacts) =>
      (past ? node.forgottenAt === undefined : at === undefined ? isCurrent(node, now) : wasValid(node, at)) &&
      (where?.(node) ?? true);
    // Filters may drop some of the results of the index; then more are fetched.
    for (let reach = options.reach ?? Math.max(50, limit * 3); ; reach *= 4) {
      const hits = await this.#index.find({ terms, meaning, scope: { projects, kinds }, limit: reach });
      const found = await surveyHits(this.#store, await runSoon(fuse(hits)), allows, limit, isEnough);
      const exhausted = hits.words.length < reach && hits.meaning.length < reach;
      if (found.length >= limit || exhausted || reach > 100_000 || isEnough?.(found)) return found;
    }
  }

  /** Search by weighted terms, for texts too long for a query; unsorted. */
  async weigh(weighing: Weighing): Promise<WeighedNode[]> {
    return surveyWeighed(this.#store, await this.#index.weigh(weighing));
  }

  /** Indexes nodes that are missing from the index, and returns their number. */
  async reindex(): Promise<number> {
    for (let done = 0; ; ) {
      const rows = await this.#store.all<NodeRow>(
        sql`select node.* from node left join document on document.node_id = node.id
            where document.node_id is null and node.kind <> 'entity' order by node.id limit ${500}`,
      );
      if (rows.length === 0) return done;
      const documents = await this.describe(rows.map(readNode));
      await this.#store.tx((tx) => putFresh(tx, documents));
      done += rows.length;
    }
  }

  async link(edge: NewEdge): Promise<void> {
    const ends = await this.getAll([edge.from, edge.to]);
    const missing = [edge.from, edge.to].find((id) => !ends.some((node) => node.id === id));
    if (missing) throw new LoreError('not_found', `Cannot link "${missing}": it does not exist`);
    const project = (ends[0] as Node).project;
    const whole = { weight: 1, data: {}, ...edge, project, createdAt: this.#now() };
    const add = async (tx: Transaction) => {
      await insertEdges(tx, [whole]);
      // The links of a shared node are shared as well, and sync looks for what changed.
      await tx.run(sql`update node set updated_at = ${whole.createdAt} where id = ${edge.from} and level <> 'private'`);
    };
    // Idempotent.
    await this.#store.tx(add, { taken: async () => false });
  }

  async expire(id: string, actor: string, at = this.#now()): Promise<void> {
    await this.#change(id, actor, 'expire', sql`valid_to = ${at}`);
  }

  /** Ensures that a node exists to which others are linked: a session, a project. It is not searchable. */
  async ensure(given: NewNode & { id: string }): Promise<void> {
    const nodes = await runSoon(createNodes([given], this.#now()));
    await this.#store.tx((tx) => insertNodes(tx, nodes), { taken: async () => false });
  }

  /** Records that nodes were used, on a best-effort basis. */
  async touch(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#store.run(sql`update node set accessed_at = ${this.#now()} where id in ${list(ids)}`);
  }

  async forget(id: string, actor: string): Promise<void> {
    await this.#change(id, actor, 'forget', sql`forgotten_at = ${this.#now()}`);
  }

  /** Undoes only `forget`, not an earlier expiry or supersession. */
  async unforget(id: string, actor: string): Promise<void> {
    await this.#change(id, actor, 'restore', sql`forgotten_at = null`);
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

  /** Documents for the index, with their vectors. */
  async describe(nodes: readonly Node[]): Promise<Document[]> {
    const vectors = (await this.#embedder?.embed(nodes.map(embeddedText), 'document')) ?? [];
    const model = this.#embedder?.id ?? '';
    return runSoon(describeNodes(nodes, model, vectors));
  }

  /**
   * Later than other nodes of its project and kind, even if a clock ahead of this one dated them, so that the newest is
   * first.
   */
  async #timeAfterOthers(news: readonly NewNode[]): Promise<number> {
    const now = this.#now();
    const kinds = list([...new Set(news.map(({ kind }) => kind))]);
    const newest = await this.#store.one<{ at: number | null }>(
      sql`select max(created_at) as at from node where project = ${news[0]?.project ?? ''} and kind in ${kinds}
          and created_at > ${now} and created_at < ${now + furthestAheadMs}`,
    );
    return newest?.at ? newest.at + 1 : now;
  }

  async #change(id: string, actor: string, action: Action, set: Sql): Promise<void> {
    const at = this.#now();
    const change = { id: createChangeId(at), actor, action, at };
    const taken = (tx: Transaction) => isRecorded(tx, change.id);
    await this.#store.tx((tx) => changeNode(tx, id, set, change), { taken });
  }
}

/** Clocks further ahead are ignored: one that was years off would date everything after it. */
const furthestAheadMs = 86_400_000;

function conflictError(nodes: readonly Node[], known: number): LoreError {
  const what = nodes.length === 1 ? `"${nodes[0]?.id}": it is` : `${nodes.length} nodes: ${known} of them are`;
  return new LoreError('conflict', `Cannot put ${what} there already`);
}

/** The text of a node that is embedded. */
export function embeddedText({ title, text }: Node): string {
  const read = skim(text, embedded);
  return title === '' ? read : `${title}\n${read}`;
}

/** Documents for the index. */
export function* describeNodes(
  nodes: readonly Node[],
  model: string,
  vectors: readonly (Int8Array | undefined)[],
): Steps<Document[]> {
  const documents: Document[] = [];
  for (const [at, { id, project, kind, title, text }] of nodes.entries()) {
    const vector = vectors[at];
    const terms = yield* gatherTerms(title, text);
    documents.push({ id, project, kind, model: vector ? model : '', vector, ...terms });
    yield;
  }
  return documents;
}

/** Characters that are embedded; the rest changes little. */
const embedded = 8_000;
