// Asks the product for the relevance of facts to prompts, with the fast and the deep stage, alone and among turns of conversations.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTools, removeDatabase, type Tools } from '../../../bench/quality/tools.ts';
import { judgeMemories } from '../../../src/services/memory/helpful.ts';

interface Round {
  sessions: { id: string; loose?: boolean; turns: { id: string; speaker: string; text: string }[] }[];
  questions: { question: string; evidence?: string[] }[];
}

interface RunOptions {
  folder: string;
  sets: string[];
  /** So many turns of other sets lie around the facts. */
  crowd: number;
  out: string;
}

const crowdSets = ['qmsum', 'friends', 'molweni'];

export async function run({ folder, sets, crowd, out }: RunOptions): Promise<void> {
  const read = (set: string) => JSON.parse(readFileSync(join(out, 'sets', `${set}.json`), 'utf8')) as Round[];
  mkdirSync(join(out, 'judged'), { recursive: true });
  const crowded = join(folder, 'crowd.db');
  const tools = await openTools(crowded, folder);
  for (const set of crowd > 0 ? crowdSets : []) {
    const sessions = read(set).flatMap((one) => one.sessions);
    await fill(tools, sessions, Math.ceil(crowd / crowdSets.length));
  }
  await tools.settle();
  await tools.close();
  for (const set of sets) {
    const judged: object[] = [];
    for (const [number, { sessions, questions }] of read(set).entries())
      judged.push(...(await judge(number, sessions, questions)));
    writeFileSync(join(out, 'judged', `${set}${crowd > 0 ? `-${crowd}` : ''}.json`), JSON.stringify(judged));
    process.stdout.write(`${set}: ${judged.length} prompts\n`);
  }

  async function judge(number: number, sessions: Round['sessions'], questions: Round['questions']) {
    const path = join(folder, 'one.db');
    removeDatabase(path);
    if (existsSync(crowded)) copyFileSync(crowded, path);
    const tools = await openTools(path, folder);
    try {
      const ids = await fill(tools, sessions);
      await tools.settle();
      const judged: object[] = [];
      for (const { question: prompt, evidence = [] } of questions) {
        const found = await judgeMemories(tools.opened.graph, { prompt, projects: [tools.project] });
        const candidates = found.map(({ node, fast, deep = null, isTalk }) => {
          return { right: Number(evidence.includes(ids.get(node.id) ?? '')), fast, deep, isTalk };
        });
        judged.push({ store: number, prompt, helped: evidence.length > 0, candidates });
      }
      return judged;
    } finally {
      await tools.close();
    }
  }
}

/** Returns the fact of each node. */
async function fill(
  { opened, project }: Tools,
  sessions: Round['sessions'],
  most = Number.POSITIVE_INFINITY,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const { id: session, loose, turns } of sessions) {
    if (ids.size >= most) break;
    const nodes = await opened.graph.put(
      turns.map(({ speaker, text }, place) => ({
        project,
        kind: 'memory',
        text: loose ? text : `${speaker}: ${text}`,
        source: speaker,
        data: { kind: 'semantic', knowledge: 'note', ...(!loose && { session, place }) },
      })),
      'tools/rank',
      { mentions: false },
    );
    for (const [place, { id }] of nodes.entries()) ids.set(id, turns[place]?.id as string);
  }
  return ids;
}
