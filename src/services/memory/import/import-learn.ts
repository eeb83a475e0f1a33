// Queues transcripts for `learn`, in the durable queue: any process can learn them, and known ones are not learned again.
import { setTimeout as pause } from 'node:timers/promises';
import type { LearningRules } from '../../../core/learning.ts';
import { redactJson } from '../../../core/secret/redact.ts';
import { isReserved } from '../../../graph/project/reserved-folder.ts';
import { ensureProject, openUser, type Scope } from '../../../graph/project/scope.ts';
import { type LearnInput, learnKind } from '../learn.ts';
import { chooseFacts, type Learned } from '../learning.ts';
import { readTime } from '../memory.ts';
import type { Tally } from './import-tally.ts';
import { readTranscript, type Slice } from './import-transcript.ts';

const lookEveryMs = 20;
/** Most waiting jobs: reading is much faster than learning. */
const maxWaiting = 4;

interface LearnOptions {
  tally: Tally;
  dryRun: boolean;
  rules: LearningRules;
  enter(folder: string): Promise<Scope>;
}

export async function learnTranscript(
  scope: Scope,
  lines: AsyncIterable<string>,
  { tally, dryRun, rules, enter }: LearnOptions,
): Promise<void> {
  const waiting: string[] = [];
  let count = 0;
  for await (const whole of readTranscript(lines)) {
    count++;
    const own = await chooseScope(scope, whole.folder, enter);
    if ([whole.folder ?? own.project.root, own.project.root].some((folder) => rules.ignores(folder))) {
      tally.leave('ignored folder');
      continue;
    }
    const slice = leavePaused(own, whole, rules);
    if (slice.content === '') continue;
    if (dryRun) await tryOut(own, slice, tally);
    else {
      waiting.push(await hand(own, slice));
      if (waiting.length >= maxWaiting) await follow(scope, waiting.shift() as string, tally);
    }
  }
  for (const id of waiting) await follow(scope, id, tally);
  if (count === 0) tally.leave('empty conversation');
}

/** Conversations held during a pause are not learned later either. */
function leavePaused({ projects }: Scope, slice: Slice, rules: LearningRules): Slice {
  const isPaused = (line: string) => {
    const at = readTime(JSON.parse(line).timestamp);
    return at !== undefined && rules.pausedUntil(projects, at) !== undefined;
  };
  const lines = slice.content.split('\n').filter((line) => line !== '' && !isPaused(line));
  return { ...slice, content: lines.map((line) => `${line}\n`).join('') };
}

/** A conversation belongs to the folder where it took place, if that exists. */
async function chooseScope(scope: Scope, folder: string | undefined, enter: LearnOptions['enter']): Promise<Scope> {
  if (folder === undefined) return scope;
  if (isReserved(folder)) return openUser(scope);
  return enter(folder).then(
    (own) => ({ ...own, actor: scope.actor }),
    () => scope,
  );
}

async function hand(scope: Scope, slice: Slice): Promise<string> {
  const { opened, project } = scope;
  await ensureProject(scope);
  const input: LearnInput = {
    content: await redactJson(slice.content),
    source: sourceOf(slice),
    root: project.root,
    key: keyOf(scope, slice),
  };
  const { id } = await opened.operations.add(learnKind, project.id, input);
  opened.worker.wake();
  return id;
}

function sourceOf({ session }: Slice): string {
  return session === '' ? 'conversation' : `conversation ${session}`;
}

function keyOf({ project }: Scope, slice: Slice): string {
  return `${project.id} ${sourceOf(slice)}`;
}

async function follow({ opened }: Scope, id: string, tally: Tally): Promise<void> {
  for (;;) {
    const operation = await opened.operations.get(id);
    if (operation?.state === 'queued' || operation?.state === 'running') {
      opened.worker.wake();
      await pause(lookEveryMs);
      continue;
    }
    if (operation?.state !== 'done') return tally.leave('failed');
    const { kept, dropped } = operation.result as Learned;
    for (const { action, text } of kept) tally.keep(action as 'stored', text);
    return countDropped(dropped, tally);
  }
}

async function tryOut(scope: Scope, slice: Slice, tally: Tally): Promise<void> {
  const content = await redactJson(slice.content);
  const input = { content, source: '', root: scope.project.root, key: keyOf(scope, slice) };
  const { kept, dropped } = await chooseFacts(scope, input);
  countDropped(dropped, tally);
  for (const { text, context } of kept) tally.keep('stored', text, context);
}

function countDropped(dropped: Learned['dropped'], tally: Tally): void {
  for (const [reason, count] of Object.entries(dropped)) {
    if (reason === 'known') tally.know(count);
    else tally.leave(reason, count);
  }
}
