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
import { scoreByTrees } from '../../src/search/rank/trees.ts';
import { weights } from '../../src/search/rank/weights.ts';
import { describeRanked, rankMemories, readRanked } from '../../src/services/memory/search-memories.ts';
import { createPairs } from './deep/pairs.ts';
import { askAbout } from './deep/questions.mjs';

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
  vocabulary,
}: {
  root: string;
  sets: string[];
  databases: string;
  out: string;
  /** The tokenizer.json of the deep ranker's base; with it, the texts are written as tokens, too. */
  vocabulary?: string;
}) {
  mkdirSync(out, { recursive: true });
  const table = openWords();
  const names = nameFeatures(table);
  for (const set of sets) {
    const began = Date.now();
    const [kind, split] = set.split('-') as [string, string];
    const shared = ['locomo', 'longmemeval', 'pooled'].includes(kind);
    const folder = join(databases, set === 'longmemeval-told' ? 'tune' : shared ? split : set);
    mkdirSync(join(folder, 'project'), { recursive: true });
    const groups: Group[] = [];
    const rows: Float32Array[] = [];
    const pairs = vocabulary ? createPairs(vocabulary) : undefined;
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
          const described = candidates.map(describeRanked);
          const features = describeCandidates(table, asked.question, described);
          rows.push(...features);
          const origins = candidates.map(({ node }) => turns[node.id] ?? { session: '', turn: '' });
          groups.push(label(round.name, asked, origins));
          if (pairs) {
            const trees = scoreByTrees(features);
            const fast = described.map(({ score }, at) => weights.scoreWeight * score + (trees[at] as number));
            const found = new Set(origins.map(({ turn }) => turn));
            pairs.add({
              question: asked.question,
              candidates: (await readRanked(tools.opened.graph, ranked)).map(describeRanked),
              fast,
              missed: findMissed(round, asked).filter(({ turn }) => !found.has(turn)),
            });
          }
        }
      } finally {
        await tools.close();
      }
    }
    const packed = new Float32Array(rows.length * names.length);
    for (const [at, row] of rows.entries()) packed.set(row, at * names.length);
    writeFileSync(join(out, `${set}.bin`), new Uint8Array(packed.buffer));
    writeFileSync(join(out, `${set}.json`), JSON.stringify({ names, groups }));
    pairs?.write(join(out, set));
    process.stdout.write(
      `${set}: ${groups.length} questions, ${rows.length} candidates, ${Math.round((Date.now() - began) / 1000)} s\n`,
    );
  }
}

function readRounds(root: string, set: string, folder: string): Round[] {
  const data = join(root, '../shared/data');
  const [kind, split] = set.split('-') as [string, string];
  if (set === 'longmemeval-told') return readTold(data);
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

/** Questions by template about what the user says in the conversations of the tuning split, without those that `report` has, too. */
function readTold(data: string): Round[] {
  const reported = new Set(readQuestions(data, 'report').flatMap(({ haystack }) => haystack.map(({ id }) => id)));
  return readQuestions(data, 'tune').map(({ id, haystack }, number) => {
    const questions = haystack
      .filter((session) => !reported.has(session.id))
      .flatMap(({ id: session, turns }) =>
        turns.flatMap(({ id: turn, speaker, text }, place) => {
          if (speaker !== 'user') return [];
          const asked = (text.slice(0, 3_000).match(/[^.?!\n]+[.!]?/g) ?? []).map((part) =>
            askAbout(part, 'I', place + number),
          );
          const question = asked.find((one) => one !== undefined && one.split(' ').length >= 6);
          return question ? [{ question, type: 'told', evidence: [turn], gold: [session] }] : [];
        }),
      );
    const step = Math.max(1, questions.length / 40);
    return {
      name: `longmemeval-${id}`,
      sessions: haystack as Round['sessions'],
      questions: questions.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step)),
    };
  });
}

type Origins = Record<string, { session: string; turn: string }>;

function readTurns(path: string): Origins {
  return JSON.parse(readFileSync(`${path}.json`, 'utf8')).turns;
}

/** Its evidence, with the number of its session and the turn before it. */
function findMissed({ sessions }: Round, { evidence = [], gold = [] }: Round['questions'][number]) {
  return sessions
    .filter(({ id }) => gold.includes(id))
    .flatMap((session) =>
      session.turns.flatMap((turn, place) => {
        const before = session.turns[place - 1];
        if (!evidence.includes(turn.id)) return [];
        return [
          {
            turn: turn.id,
            session: gold.indexOf(session.id),
            text: writeTurn(session, turn),
            before: before && !session.loose ? writeTurn(session, before) : undefined,
          },
        ];
      }),
    );
}

function writeTurn(
  { loose }: Round['sessions'][number],
  { speaker, text }: Round['sessions'][number]['turns'][number],
): string {
  return /^(?:user|assistant|)$/.test(speaker) || loose ? text : `${speaker}: ${text}`;
}

/** Turns are stored in batches, because a call of `remember` for each would take an hour. */
async function fill(tools: Tools, { sessions }: Round): Promise<Origins> {
  const turns: Origins = {};
  const { opened, project } = tools;
  tools.setTime(Math.min(...sessions.map(({ at }) => at)) - 1);
  await tools.call('remember', { content: 'The first memory makes the project known.', expires: 'never' });
  for (const conversation of sessions) {
    const { id: session, at, loose, turns: said } = conversation;
    tools.setTime(at);
    const nodes = await opened.graph.put(
      said.map((turn, place) => ({
        project,
        kind: 'memory',
        text: writeTurn(conversation, turn),
        source: turn.speaker,
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
