// lore sync now, status, log and purge: shared memories and their remotes.
import type { App } from '../app.ts';
import { createPlainCall, localCaller, personCaller } from '../core/call.ts';
import type { Invocation, Output } from '../core/command.ts';
import { LoreError } from '../core/error.ts';
import { countOf, formatDate, inOneLine, quoteName } from '../core/text/terminal.ts';
import { followOperation } from '../graph/operation/follow.ts';
import { getOwn, type Scope } from '../graph/project/scope.ts';
import { type ChosenRemote, chooseRemote, listRemotes, openRemote, readAuthor } from '../graph/share/destination.ts';
import type { SendRefusal } from '../graph/share/guard/guard.ts';
import { type GuardOptions, openGuard } from '../graph/share/guard/open.ts';
import { type SharedLevel, sharedLevels } from '../graph/share/level.ts';
import { openSharing, unshareMemory } from '../graph/share/share.ts';
import { type LoggedOp, listLog, readStatus, type ShareStatus } from '../graph/share/status.ts';
import { reviewFolder } from '../services/memory/review/file.ts';
import type { SyncResult } from '../services/memory/sync.ts';
import { confirm } from './confirm.ts';
import { createBar } from './follow.ts';

type SyncInvocation = Pick<Invocation, 'words' | 'options' | 'output'>;

const longestLine = 80;

export async function syncNow(app: App, { options, output }: SyncInvocation): Promise<number> {
  const level = readLevel(options.level) ?? 'team';
  const args = { remote: options.remote, level };
  const result = await app.registry.perform('sync', ['memory_share'], args, async () => {
    const scope = await openScope(app);
    if (typeof options.remote === 'string') await chooseRemote(scope, level, options.remote);
    return runSync(scope);
  });
  printResult(result, output);
  const isWhole = result.synced.every(({ problem, blocked }) => problem === undefined && blocked.length === 0);
  return isWhole && result.reviewed.skipped.length === 0 ? 0 : 1;
}

export async function syncPurge(app: App, { words, options, output }: SyncInvocation): Promise<number> {
  const [id = ''] = words;
  const question = `Remove ${id} from the remote, with its history, and from all devices that sync? This cannot be undone.`;
  if (options.yes !== true && !(await confirm(question))) return 1;
  const result = await app.registry.perform('sync', ['memory_purge'], { purge: id }, async () => {
    const scope = await openScope(app);
    const node = await getOwn(scope, id, 'purge');
    if (node.level === 'private') throw new LoreError('invalid_input', `Cannot purge "${node.id}": it is not shared`);
    if (node.data.shared === undefined) await unshareMemory(scope, node);
    else await purgeHere(app, scope, node.id);
    return runSync(scope);
  });
  printResult(result, output);
  return result.synced.every(({ problem }) => problem === undefined) ? 0 : 1;
}

async function purgeHere(app: App, { opened }: Scope, id: string): Promise<void> {
  const { structured } = await app.registry.call('memory_purge', { ids: [id] }, createPlainCall(personCaller));
  for (const operation of (structured as { operations: string[] }).operations)
    await followOperation(opened, operation, () => {});
}

async function openScope(app: App): Promise<Scope> {
  return { ...(await app.folders.open(localCaller)), actor: 'sync' };
}

async function runSync(scope: Scope): Promise<SyncResult> {
  const { noRemoteError, queueSync } = await import('../services/memory/sync.ts');
  const { openTree } = await import('../services/memory/review/tree.ts');
  const isChosen = (await listRemotes(scope.opened, scope.project.id)).length > 0;
  if (!isChosen && !(await openTree(scope))) throw noRemoteError();
  const { id } = await queueSync(scope);
  const bar = createBar();
  try {
    const report = ({ done, total, message }: { done: number; total: number | undefined; message: string }) =>
      bar.show(done, total, message);
    const { state, result, problem } = await followOperation(scope.opened, id, report);
    if (state === 'done') return result as SyncResult;
    throw new LoreError('unavailable', problem ?? `Cannot sync: the job is ${state}`);
  } finally {
    bar.clear();
  }
}

function printResult(result: SyncResult, output: Output): void {
  if (output.json) return output.printJson(result);
  const { stored, changed, skipped } = result.reviewed;
  if (stored + changed > 0) output.print(`${reviewFolder}  ${stored} new, ${changed} changed`);
  noteSkipped(skipped, output);
  for (const {
    level,
    remote,
    problem,
    hint,
    sent,
    received,
    stored,
    changed,
    removed,
    pending,
    ...rest
  } of result.synced) {
    const done = [
      `${sent} sent`,
      `${received} received`,
      ...(stored > 0 ? [`${stored} new`] : []),
      ...(changed > 0 ? [`${changed} changed`] : []),
      ...(removed > 0 ? [`${removed} removed`] : []),
      ...(rest.rewritten ? ['history rewritten'] : []),
    ];
    output.print(`${level}  ${remote}  ${done.join(', ')}`);
    if (problem !== undefined) output.note(`${problem}. ${countOf(pending, 'change waits', 'changes wait')} here.`);
    if (hint !== undefined) output.note(hint);
    for (const { id, reason } of rest.blocked) output.note(`Not sent: ${id}: ${reason}`);
    noteSkipped(rest.problems, output);
  }
}

function noteSkipped(skipped: ShareStatus['problems'], output: Output): void {
  for (const line of describeSkipped(skipped)) output.note(`Skipped ${line}`);
}

const mostNamed = 5;

/** One line for each reason: a stranger, or a missing key, may concern thousands of files. Names may contain anything. */
function describeSkipped(skipped: ShareStatus['problems']): string[] {
  const paths = new Map<string, string[]>();
  for (const { path, problem } of skipped) {
    const reason = inOneLine(problem);
    const same = paths.get(reason);
    if (same) same.push(path);
    else paths.set(reason, [path]);
  }
  return [...paths].map(([problem, all]) => {
    const more = all.length - mostNamed;
    return `${all.slice(0, mostNamed).map(quoteName).join(', ')}${more > 0 ? ` and ${more} more` : ''}: ${problem}`;
  });
}

type LevelStatus = ShareStatus & {
  level: SharedLevel;
  remote?: string;
  synced?: string;
  /** How what is sent is protected, or why nothing can be sent. */
  protection?: string;
  refusal?: SendRefusal;
};

export async function syncStatus(app: App, { output }: SyncInvocation): Promise<number> {
  const all = await app.registry.perform('sync', ['recall'], { status: true }, async () => {
    const scope = await openScope(app);
    const chosen = await listRemotes(scope.opened, scope.project.id);
    return Promise.all(sharedLevels.map((level) => describeLevel(app, scope, level, chosen)));
  });
  const used = all.filter(({ remote, shared }) => remote !== undefined || shared > 0);
  if (output.json) output.printJson({ levels: used });
  else if (used.length === 0) output.print('Nothing is shared, and no remote is chosen. Share a memory: lore share ID');
  else for (const status of used) printStatus(status, output);
  return 0;
}

async function describeLevel(
  { sync }: App,
  scope: Scope,
  level: SharedLevel,
  chosen: readonly ChosenRemote[],
): Promise<LevelStatus> {
  const status = await readStatus(scope.opened, await openSharing(scope, level, await readAuthor()));
  const found = chosen.find((one) => one.level === level);
  const synced = found && found.syncedAt > 0 ? { synced: new Date(found.syncedAt).toISOString() } : {};
  const protection = found && (await describeProtection(scope, level, found.remote, sync));
  return { level, ...(found && { remote: found.remote }), ...synced, ...status, ...protection };
}

async function describeProtection(scope: Scope, level: SharedLevel, remote: string, options: GuardOptions) {
  try {
    const guard = await openGuard(scope, level, openRemote(scope, level, remote, options), options);
    const refusal = guard.refusal();
    const mark = guard.mark();
    const protection = level === 'mine' ? 'encrypted' : mark === '' ? 'not signed' : `signed with ${mark}`;
    return { protection, ...(refusal !== undefined && { refusal }) };
  } catch (error) {
    // The rest of the status does not depend on it.
    if (error instanceof LoreError) return { refusal: { reason: error.message, hint: error.hint } };
    throw error;
  }
}

function printStatus(
  { level, remote, synced, shared, pending, blocked, disputed, problems, protection, refusal }: LevelStatus,
  output: Output,
) {
  const when = synced === undefined ? 'never synced' : `synced ${formatDate(synced, output.style.now)}`;
  output.print([level, remote ?? 'no remote', when, ...(protection ? [protection] : [])].join('  '));
  if (refusal !== undefined) output.print(`  nothing can be sent: ${refusal.reason}`);
  if (refusal?.hint !== undefined) output.print(`  ${refusal.hint}`);
  output.print(
    `  ${countOf(shared, 'memory', 'memories')} shared, ${countOf(pending, 'change waits', 'changes wait')}`,
  );
  for (const { id, reason } of blocked) output.print(`  not sent: ${id}: ${reason}`);
  for (const id of disputed)
    output.print(`  disputed: ${id} was edited in two places; edit it to settle: lore edit ${id}`);
  for (const line of describeSkipped(problems)) output.print(`  skipped: ${line}`);
}

const defaultLines = 30;

export async function syncLogCommand(app: App, { options, output }: SyncInvocation): Promise<number> {
  const limit = options.limit === undefined ? defaultLines : Number(options.limit);
  const level = readLevel(options.level);
  const lines = await app.registry.perform('sync', ['recall'], { log: true }, async () => {
    const scope = await openScope(app);
    const wanted = level === undefined ? sharedLevels : [level];
    const read = async (one: SharedLevel) =>
      (await listLog(scope.opened, await openSharing(scope, one, ''), limit)).map((op) => ({ level: one, ...op }));
    return (await Promise.all(wanted.map(read))).flat();
  });
  if (output.json) output.printJson({ operations: lines });
  else if (lines.length === 0) output.print('Nothing was shared yet.');
  else for (const line of lines) output.print(describeOp(line, output));
  return 0;
}

function describeOp(
  { level, at, by, dev, op, id, text, sent }: LoggedOp & { level: SharedLevel },
  output: Output,
): string {
  const facts = [formatDate(at, output.style.now), level, inOneLine(by) || dev, op, id, ...(sent ? [] : ['(waiting)'])];
  return [...facts, ...(text === undefined ? [] : [inOneLine(text).slice(0, longestLine)])].join('  ');
}

export function readLevel(given: unknown): SharedLevel | undefined {
  if (given === undefined) return undefined;
  const level = sharedLevels.find((one) => one === given);
  if (level) return level;
  throw new LoreError('invalid_input', `Cannot use level "${given}": expected ${sharedLevels.join(' or ')}`);
}
