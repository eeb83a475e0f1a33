// Reads turns from labelled lines: "User: …", "**Assistant**", "## Human", "[12:03] Ana: …", and terminal transcripts in which
// "> " is the user. Other names count only if they take turns, or every list of keys would be a conversation.
import type { Steps } from '../../../core/steps.ts';
import { roleOf, type Turn } from './conversation-turn.ts';

interface Label {
  speaker: string;
  rest: string;
  at?: string;
}

const time = String.raw`[[(]?(\d{1,4}[-/.:]\d{1,2}[^\])\n]{0,30}?)[\])]?`;
const name = String.raw`(\p{L}[\p{L}\p{N}_.'’-]{0,30}(?: [\p{L}\p{N}][\p{L}\p{N}_.'’-]{0,30}){0,2})`;
/** `User: text`, `**User:** text`, `[12:03] Ana: text`, `Ana (12:03): text`. */
const labelled = new RegExp(
  String.raw`^\s{0,3}(?:${time}\s{1,3})?(?:[*_]{1,3}|\[)?${name}(?:[*_]{1,3}|\])?(?:\s${time})?\s?[:>](?:[*_]{1,3})?(?:\s+|$)`,
  'u',
);
/** `## User`, `**User**`, `_**Agent (model, time)**_`, `<user>`, alone on a line. */
const standing =
  /^\s{0,3}(?:#{1,6}\s+[*_]{0,3}|[*_]{2,3}|<)(\p{L}[\p{L}\p{N} -]{0,20}?)(?:: [\w.@ -]{1,30}?)?(?: \(([^()\n]{1,60})\))?(?:[*_]{1,3}|>)?:?[*_]{0,3}\s*$/u;
const fence = /^\s{0,3}(?:```|~~~)/;
const keys = new Set(
  `note notes warning warn error info debug todo fixme example examples hint tip important summary port host name type
  path url version database file files owner status result results output input usage default description title author
  date time step steps fix bug issue question answer why how what when where who decision context consequences reason
  http https file line default new old before after also update edit ps nb caution question open feat chore docs test`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

export function* readLabelledTurns(text: string): Steps<Turn[] | undefined> {
  return readAider(text) ?? (yield* readByLabel(text)) ?? readTerminal(text);
}

/** Lines read in one step. */
const linesAtOnce = 1_000;

function* readByLabel(text: string): Steps<Turn[] | undefined> {
  const lines = text.split('\n');
  const labels = yield* findLabels(lines);
  const accepted = acceptNames(labels);
  if (accepted.size === 0) return undefined;
  const turns: (Turn & { machine: boolean })[] = [];
  let spoken: string[] = [];
  const close = () => {
    const turn = turns.at(-1);
    const words = spoken.join('\n');
    spoken = [];
    if (turn !== undefined) turn.text = words;
    else if (words.trim() !== '') turns.push({ role: 'other', speaker: '', text: words, machine: false });
  };
  for (const [i, line] of lines.entries()) {
    if (i % linesAtOnce === 0) yield;
    const label = labels.get(i);
    if (label === undefined || !accepted.has(label.speaker)) {
      if (line.length > 200 || !/^\s*<\/\w+>\s*$/.test(line)) spoken.push(line);
      continue;
    }
    close();
    const role = roleOf(label.speaker);
    turns.push({
      role: role === 'machine' ? 'other' : role,
      speaker: label.speaker,
      text: '',
      machine: role === 'machine',
      ...(label.at === undefined ? {} : { at: label.at }),
    });
    spoken = [label.rest];
  }
  close();
  return turns.filter(({ machine }) => !machine).map(({ machine: _machine, ...turn }) => turn);
}

function* findLabels(lines: string[]): Steps<Map<number, Label>> {
  const labels = new Map<number, Label>();
  let fenced = false;
  for (const [i, line] of lines.entries()) {
    if (i % linesAtOnce === 0) yield;
    if (fence.test(line)) fenced = !fenced;
    if (fenced) continue;
    const head = line.slice(0, 120);
    const alone = standing.exec(head);
    if (alone !== null && line.length <= 120) {
      const speaker = (alone[1] as string).trim();
      const at = /\d{4}-\d\d-\d\d[T ][\d:.]+Z?/.exec(alone[2] ?? '')?.[0];
      if (roleOf(speaker) !== 'other') labels.set(i, { speaker, rest: '', ...(at === undefined ? {} : { at }) });
      continue;
    }
    const found = labelled.exec(head);
    if (found === null) continue;
    const at = found[1] ?? found[3];
    labels.set(i, { speaker: found[2] as string, rest: line.slice(found[0].length), ...(at ? { at } : {}) });
  }
  return labels;
}

/** Which labels are speakers. */
function acceptNames(labels: Map<number, Label>): Set<string> {
  const counts = new Map<string, number>();
  for (const { speaker } of labels.values()) counts.set(speaker, (counts.get(speaker) ?? 0) + 1);
  const roles = [...counts.keys()].filter((speaker) => roleOf(speaker) !== 'other' && !isKey(speaker));
  const both = ['user', 'assistant'].every((role) => roles.some((speaker) => roleOf(speaker) === role));
  if (both) return new Set(roles);
  const people = [...counts.keys()].filter(
    (speaker) => /^\p{Lu}/u.test(speaker) && !isKey(speaker) && roleOf(speaker) !== 'machine',
  );
  const turns = people.reduce((sum, speaker) => sum + (counts.get(speaker) ?? 0), 0);
  const repeated = people.filter((speaker) => (counts.get(speaker) ?? 0) > 1);
  if (people.length >= 2 && people.length <= 12 && repeated.length >= 1 && turns >= 3 && turns > people.length) {
    return new Set(people);
  }
  // One person's turn alone, as a hook hands it over.
  const first = [...labels.values()][0];
  const lone = first !== undefined && /^(?:User|Human|USER|HUMAN|Assistant|ASSISTANT)$/.test(first.speaker);
  return lone && labels.has(0) ? new Set(roles) : new Set();
}

function isKey(speaker: string): boolean {
  return keys.has(speaker.toLowerCase());
}

/** A terminal's transcript: the person's lines behind "> ", the agent's behind "⏺", "●" or nothing. */
function readTerminal(text: string): Turn[] | undefined {
  if (!/^\s*[>❯]\s/.test(text)) return undefined;
  const turns: Turn[] = [];
  for (const line of text.split('\n')) {
    const prompt = /^\s{0,3}[>❯]\s+/.exec(line.slice(0, 20));
    const speaker = prompt === null ? 'assistant' : 'user';
    const spoken = line.slice(prompt?.[0].length ?? 0).replace(/^\s*[⏺●⎿]\s+/, '');
    const last = turns.at(-1);
    if (last?.speaker === speaker || (spoken.trim() === '' && last !== undefined)) last.text += `\n${spoken}`;
    else turns.push({ role: speaker, speaker, text: spoken });
  }
  return turns.some(({ role, text: spoken }) => role === 'assistant' && spoken.trim() !== '') ? turns : undefined;
}

/** Aider's history: the person behind "#### ", the program's own lines behind "> ", the rest is the model's. */
function readAider(text: string): Turn[] | undefined {
  if (!/^\s*# aider chat started at/.test(text)) return undefined;
  const turns: Turn[] = [];
  for (const line of text.split('\n')) {
    if (/^(?:# aider chat started|> )/.test(line)) continue;
    const role = line.startsWith('#### ') ? 'user' : 'assistant';
    const spoken = role === 'user' ? line.slice(5) : line;
    const last = turns.at(-1);
    if (last?.role === role) last.text += `\n${spoken}`;
    else if (spoken.trim() !== '') turns.push({ role, speaker: role, text: spoken });
  }
  return turns;
}
