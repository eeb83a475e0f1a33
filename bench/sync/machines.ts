// Conversations of one person on two machines: sessions alternate, and what was said is shared at level `mine`.
import { setGuardKey, writeKey } from '../../src/graph/share/guard/keys.ts';
import { createFolder } from '../../test/support/folder.ts';
import { createDevice, createRemote, type Device, git } from '../../test/support/share.ts';
import type { Conversation } from '../quality/locomo-data.ts';
import { ask } from './ask.ts';

export async function runMachines(conversations: readonly Conversation[]) {
  const result = { conversations: conversations.length, turns: 0, repeated: 0, blocked: 0, unequal: 0, lost: 0 };
  const asked = { questions: 0, found: [0, 0], differing: 0 };
  for (const { sessions, questions } of conversations) {
    let clock = 0;
    const remote = createRemote();
    const machines: Device[] = [];
    const key = writeKey(Buffer.alloc(32, 1));
    for (const name of ['desk', 'laptop']) {
      const home = createFolder('sync');
      await setGuardKey(home, key);
      const device = await createDevice(name, remote, { home, now: () => clock });
      // By which the project is recognised on both.
      git(device.folder, 'remote', 'set-url', 'origin', 'https://example.org/zoo/talk.git');
      machines.push(device);
    }
    const sync = async (device: Device) => {
      const { problem, blocked } = await device.sync('mine');
      if (problem !== undefined) throw new Error(problem);
      result.blocked += blocked.length;
    };
    const ids = new Map<string, string>();
    const inOrder = [...sessions].sort((a, b) => a.at - b.at);
    for (const [number, { at, turns }] of inOrder.entries()) {
      const device = machines[number % machines.length] as Device;
      for (const [second, { id: turn, speaker, text }] of turns.entries()) {
        clock = at + second * 1_000;
        const stored = await device.call('remember', {
          content: `${speaker}: ${text}`,
          supersedes: [],
          expires: 'never',
        });
        result.turns++;
        if (stored.action === 'merged') result.repeated++;
        await device.share(String(stored.id), 'mine');
        ids.set(turn, String(stored.id));
      }
      // Every third time it was closed too early.
      if (number % 3 !== 2) await sync(device);
    }
    for (let round = 0; round < 2; round++) for (const device of machines) await sync(device);
    const exports = await Promise.all(machines.map((device) => device.export('mine')));
    if (new Set(exports).size > 1) result.unequal++;
    for (const device of machines)
      for (const id of new Set(ids.values())) if ((await device.get(id))?.level !== 'mine') result.lost++;
    const answersOf = (evidence: readonly string[]) => evidence.flatMap((turn) => ids.get(turn) ?? []);
    const one = await ask(
      machines,
      questions.map(({ question, evidence }) => ({ question, answers: answersOf(evidence) })),
    );
    asked.questions += one.questions;
    asked.found = asked.found.map((count, at) => count + (one.found[at] as number));
    asked.differing += one.differing;
    for (const { services } of machines) await services.close();
  }
  return { ...result, ...asked, failed: result.unequal + result.lost };
}
