// Turns questions with known evidence into examples: conversations are stored by the product's own tools, each question is searched, and
// the product's own code describes the candidates.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConversations } from '../../bench/quality/locomo-data.ts';
import { readQuestions } from '../../bench/quality/longmemeval-data.ts';
import { openTools, removeDatabase, type Tools } from '../../bench/quality/tools.ts';
import { openWords } from '../../src/search/embed.ts';
import { describeCandidates, nameFeatures } from '../../src/search/rank/features.ts';
import { reordered } from '../../src/search/rank/rerank.ts';
import { describeRanked, rankMemories, readRanked } from '../../src/services/memory/search-memories.ts';

interface Round {
  name: string;
  sessions: { id: string; at: number; loose?: boolean; turns: { id: string; speaker: string; text: string }[] }[];
  questions: { question: string; at?: number; type?: string; evidence?: string[]; gold?: string[] }[];
}

/** One question: which of its candidates are evidence, and how much evidence there is. */
interface Group {
  type: string;
  round: string;
  evidence: number;
  gold: number;
  /** For each candidate: 1 if it is evidence, and the number of its session; sessions below `gold` are right. */
  right: number[];
  session: number[];
}

export async function run({
  root,
  sets,
  databases,
  out,
}: {
  root: string;
  sets: string[];
  databases: string;
  out: string;
}) {
  mkdirSync(out, { recursive: true });
  const table = openWords();
  const names = nameFeatures(table);
  for (const set of sets) {
    const began = Date.now();
    const [kind, split] = set.split('-') as [string, string];
    const folder = join(databases, ['locomo', 'longmemeval', 'pooled'].includes(kind) ? split : set);
    mkdirSync(join(folder, 'project'), { recursive: true });
    const groups: Group[] = [];
    const rows: Float32Array[] = [];
    for (const round of readRounds(root, set, out)) {
      const path = join(folder, `${round.name}-turns.db`);
      const known = existsSync(`${path}.json`);
      if (!known) removeDatabase(path);
      const tools = await openTools(path, join(folder, 'project'));
      try {
        const turns = known ? readTurns(path) : await fill(tools, round);
        await tools.settle();
        if (!known) writeFileSync(`${path}.json`, JSON.stringify({ outcome: {}, turns }));
        const after = Math.max(0, ...round.sessions.map(({ at }) => at)) + 86_400_000;
        for (const asked of round.questions) {
          tools.setTime(Math.max(asked.at ?? 0, after));
          const { ranked } = await rankMemories(tools.opened.graph, {
            query: asked.question,
            projects: [tools.project],
          });
          const candidates = await readRanked(tools.opened.graph, ranked.slice(0, reordered));
          rows.push(...describeCandidates(table, asked.question, candidates.map(describeRanked)));
          const origins = candidates.map(({ node }) => turns[node.id] ?? { session: '', turn: '' });
          groups.push(label(round.name, asked, origins));
        }
      } finally {
        await tools.close();
      }
    }
    const packed = new Float32Array(rows.length * names.length);
    for (const [at, row] of rows.entries()) packed.set(row, at * names.length);
    writeFileSync(join(out, `${set}.bin`), new Uint8Array(packed.buffer));
    writeFileSync(join(out, `${set}.json`), JSON.stringify({ names, groups }));
    process.stdout.write(
      `${set}: ${groups.length} questions, ${rows.length} candidates, ${Math.round((Date.now() - began) / 1000)} s\n`,
    );
  }
}

function readRounds(root: string, set: string, folder: string): Round[] {
  const data = join(root, '../shared/data');
  const [kind, split] = set.split('-') as [string, string];
  if (kind === 'longmemeval') {
    return readQuestions(data, split).map(({ id, question, type, at, gold, haystack }) => ({
      name: `longmemeval-${id}`,
      sessions: haystack as Round['sessions'],
      questions: [{ question, type: `${type}${id.endsWith('_abs') ? ' _abs' : ''}`, at, gold: [...gold] }],
    }));
  }
  if (kind === 'pooled') {
    const questions = readQuestions(data, split);
    const pool = new Map(questions.flatMap(({ haystack }) => haystack.map((session) => [session.id, session])));
    const sessions = [...pool.values()].sort((a, b) => a.at - b.at) as Round['sessions'];
    return [
      { name: 'pooled', sessions, questions: questions.map(({ gold, ...asked }) => ({ ...asked, gold: [...gold] })) },
    ];
  }
  if (kind === 'locomo') {
    return readConversations(data, split).map(({ sessions, questions }, number) => ({
      name: `locomo-${number}`,
      sessions: sessions as Round['sessions'],
      questions: questions.map(({ question, category, evidence }) => ({
        question,
        type: String(category),
        evidence: [...evidence],
        gold: sessions.filter(({ turns }) => turns.some(({ id }) => evidence.includes(id))).map(({ id }) => id),
      })),
    }));
  }
  return JSON.parse(readFileSync(join(folder, 'sets', `${set}.json`), 'utf8')) as Round[];
}

type Origins = Record<string, { session: string; turn: string }>;

function readTurns(path: string): Origins {
  return JSON.parse(readFileSync(`${path}.json`, 'utf8')).turns;
}

/** Turns are stored in batches, because a call of `remember` for each would take an hour. */
async function fill(tools: Tools, { sessions }: Round): Promise<Origins> {
  const turns: Origins = {};
  const { opened, project } = tools;
  tools.setTime(Math.min(...sessions.map(({ at }) => at)) - 1);
  await tools.call('remember', { content: 'The first memory makes the project known.', expires: 'never' });
  for (const { id: session, at, loose, turns: said } of sessions) {
    tools.setTime(at);
    const nodes = await opened.graph.put(
      said.map(({ speaker, text }, place) => ({
        project,
        kind: 'memory',
        text: /^(?:user|assistant|)$/.test(speaker) || loose ? text : `${speaker}: ${text}`,
        source: speaker,
        validFrom: at + place * 1_000,
        data: { kind: 'episodic', knowledge: 'note', ...(!loose && { session, place }) },
      })),
      'tools/rank',
      { mentions: false },
    );
    nodes.forEach(({ id }, place) => {
      turns[id] = { session, turn: said[place]?.id as string };
    });
    if (Object.keys(turns).length % 8 === 0) await tools.settle();
  }
  return turns;
}

function label(round: string, asked: Round['questions'][number], origins: readonly Origins[string][]): Group {
  const gold = [...new Set(asked.gold ?? [])];
  const sessions = new Map(gold.map((name, at) => [name, at]));
  for (const { session } of origins) if (!sessions.has(session)) sessions.set(session, sessions.size);
  const evidence = new Set(asked.evidence);
  return {
    type: asked.type ?? '',
    round,
    evidence: evidence.size,
    gold: gold.length,
    right: origins.map(({ turn, session }) => Number(asked.evidence ? evidence.has(turn) : gold.includes(session))),
    session: origins.map(({ session }) => sessions.get(session) as number),
  };
}
