// Whether `enhance` and `recall` know what helps a prompt and when nothing does: projects with facts, prompts that some of
// the facts help, and prompts that none does; alone, and among conversations about other things.
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '../conversations.ts';
import { readQuestions } from '../longmemeval-data.ts';
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
  part: string;
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
  project: string;
  /** The facts that were put before the prompt; a turn of a conversation has no name. */
  given: readonly (string | undefined)[];
  texts: readonly string[];
  /** What recall returned, best first. */
  recalled: readonly (string | undefined)[];
}

export async function run({ root, folder, part, crowd, showFailures }: RunOptions): Promise<Row[]> {
  const cases = JSON.parse(readFileSync(join(root, 'bench/quality/relevance', `${part}.json`), 'utf8')) as Case[];
  const crowded = crowd > 0 ? await fillCrowd(join(root, '../shared/data'), crowd, folder) : undefined;
  const judged: Judged[] = [];
  for (const one of cases) judged.push(...(await judge(one, crowded, folder)));
  if (showFailures) judged.forEach(describeFailure);
  const name = `${part}${crowd > 0 ? `, among ${crowd} turns` : ''}`;
  const languages = part.startsWith('small') ? [...new Set(judged.map(languageOf))] : [];
  const rows = [
    measure(name, judged),
    ...languages.map((language) =>
      measure(
        `… ${language}`,
        judged.filter((one) => languageOf(one) === language),
      ),
    ),
  ];
  printTable(rows);
  return rows;
}

function measure(name: string, judged: readonly Judged[]): Row {
  const helped = judged.filter(({ prompt }) => prompt.facts.length > 0);
  const unhelped = judged.filter(({ prompt }) => prompt.facts.length === 0);
  const given = judged.flatMap((one) => one.given.map((fact) => isRight(one, fact)));
  return {
    name,
    questions: judged.length,
    figures: {
      'helped and served': share(helped.map((one) => one.given.some((fact) => isRight(one, fact)))),
      'unhelped and unchanged': share(unhelped.map((one) => one.given.length === 0)),
      'given and right': share(given),
      'recall: right first': share(helped.map((one) => isRight(one, one.recalled[0]))),
      'recall: right returned': share(helped.map((one) => one.recalled.some((fact) => isRight(one, fact)))),
      'recall: nothing, rightly': share(unhelped.map((one) => one.recalled.length === 0)),
    },
  };
}

function languageOf({ project }: Judged): string {
  return project.slice(0, 2);
}

/** Written once, and copied for each project. */
async function fillCrowd(data: string, count: number, folder: string): Promise<string> {
  const path = join(folder, 'crowd.db');
  const tools = await openTools(path, folder);
  for (const { id: session, turns } of readTurns(data, count)) {
    for (const { text, speaker } of turns) await remember(tools, { content: text, session, source: speaker });
  }
  await tools.settle();
  await tools.close();
  return path;
}

async function judge({ project, facts, helped, unhelped }: Case, crowded: string | undefined, folder: string) {
  const path = join(folder, 'relevance.db');
  removeDatabase(path);
  if (crowded !== undefined) copyFileSync(crowded, path);
  const tools = await openTools(path, folder);
  try {
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
      const { memories: found } = await tools.call<{ memories: { id: string }[] }>('recall', { query: prompt.text });
      judged.push({
        prompt,
        project,
        given: memories.map((id) => names.get(id)),
        texts: [text],
        recalled: found.map(({ id }) => names.get(id)),
      });
    }
    return judged;
  } finally {
    await tools.close();
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

function describeFailure(one: Judged): void {
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
