// Whether `enhance` knows what helps a prompt and when nothing does: projects with facts, prompts that some of the facts
// help, and prompts that none does; alone, and among conversations about other things.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readQuestions } from '../longmemeval-data.ts';
import type { Session } from '../shelf.ts';
import { printTable, type Row } from '../table.ts';
import { openTools, removeDatabase, type Tools } from '../tools.ts';

interface Case {
  project: string;
  facts: Record<string, string>;
  helped: [prompt: string, facts: string[]][];
  unhelped: string[];
}

interface RunOptions {
  root: string;
  folder: string;
  part: 'tune' | 'held';
  /** So many turns of conversations lie around the facts. */
  crowd: number;
  showFailures: boolean;
}

interface Prompt {
  text: string;
  facts: readonly string[];
}

interface Judged {
  prompt: Prompt;
  /** The facts that were put before the prompt; a turn of a conversation has no name. */
  given: readonly (string | undefined)[];
  texts: readonly string[];
}

export async function run({ root, folder, part, crowd, showFailures }: RunOptions): Promise<Row> {
  const cases = JSON.parse(readFileSync(join(root, 'bench/quality/relevance', `${part}.json`), 'utf8')) as Case[];
  const crowding = crowd > 0 ? readTurns(join(root, '../shared/data'), crowd) : [];
  const judged: Judged[] = [];
  for (const one of cases) judged.push(...(await judge(one, crowding, folder)));
  if (showFailures) judged.forEach(tellFailure);
  const helped = judged.filter(({ prompt }) => prompt.facts.length > 0);
  const unhelped = judged.filter(({ prompt }) => prompt.facts.length === 0);
  const given = judged.flatMap((one) => one.given.map((name) => isRight(one, name)));
  const row: Row = {
    name: `${part}${crowd > 0 ? `, among ${crowd} turns` : ''}`,
    questions: judged.length,
    figures: {
      'helped and served': share(helped.map((one) => one.given.some((name) => isRight(one, name)))),
      'unhelped and unchanged': share(unhelped.map((one) => one.given.length === 0)),
      'given and right': share(given),
    },
  };
  printTable([row]);
  return row;
}

async function judge({ facts, helped, unhelped }: Case, crowding: readonly Session[], folder: string) {
  const path = join(folder, 'relevance.db');
  const tools = await openTools(path, folder);
  try {
    for (const { id: session, turns } of crowding) {
      for (const { text, speaker } of turns) await remember(tools, { content: text, session, source: speaker });
    }
    const names = new Map<string, string>();
    for (const [name, content] of Object.entries(facts)) names.set(await remember(tools, { content }), name);
    await tools.settle();
    const judged: Judged[] = [];
    const prompts: Prompt[] = [
      ...helped.map(([text, needed]) => ({ text, facts: needed })),
      ...unhelped.map((text) => ({ text, facts: [] })),
    ];
    for (const prompt of prompts) {
      const { memories, text } = await tools.call<{ memories: string[]; text: string }>('enhance', {
        prompt: prompt.text,
      });
      judged.push({ prompt, given: memories.map((id) => names.get(id)), texts: [text] });
    }
    return judged;
  } finally {
    await tools.close();
    removeDatabase(path);
  }
}

async function remember(tools: Tools, args: object): Promise<string> {
  return (await tools.call<{ id: string }>('remember', args)).id;
}

function isRight({ prompt }: Judged, name: string | undefined): boolean {
  return name !== undefined && prompt.facts.includes(name);
}

function share(cases: readonly boolean[]): number {
  return cases.filter(Boolean).length / cases.length;
}

function tellFailure(one: Judged): void {
  const { prompt, given, texts } = one;
  const fails = prompt.facts.length === 0 ? given.length > 0 : !given.some((name) => isRight(one, name));
  if (fails) console.log(`${prompt.facts.join(', ') || 'nothing'} ← ${prompt.text}\n  ${texts.join('\n  ')}\n`);
}

/** Whole sessions, until there are enough turns. */
function readTurns(data: string, count: number): Session[] {
  const sessions = new Map(readQuestions(data, 'tune').flatMap(({ haystack }) => haystack.map((one) => [one.id, one])));
  let left = count;
  const taken: Session[] = [];
  for (const session of sessions.values()) {
    if (left <= 0) break;
    taken.push(session);
    left -= session.turns.length;
  }
  return taken;
}
