// The same questions to every device: how often the answer is among the first results, and how often only some devices find it.
import type { Device } from '../../test/support/share.ts';

export interface Asked {
  question: string;
  /** Ids of memories, each of which is an answer. */
  answers: readonly string[];
}

const first = 5;

export async function ask(devices: readonly Device[], questions: readonly Asked[]) {
  const found = devices.map(() => 0);
  let differing = 0;
  for (const { question, answers } of questions) {
    const hits: boolean[] = [];
    for (const device of devices) {
      const args = { query: question, limit: first, budget_tokens: 100_000 };
      const { memories } = (await device.call('recall', args)) as { memories: { id: string }[] };
      hits.push(memories.some(({ id }) => answers.includes(id)));
    }
    for (const [at, isHit] of hits.entries()) if (isHit) found[at] = (found[at] as number) + 1;
    if (new Set(hits).size > 1) differing++;
  }
  return { questions: questions.length, found, differing };
}
