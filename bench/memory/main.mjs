// The memory bench: the tools over stdio on a database of many memories, and the prompt hook beside a bare start of Node.
// node bench/memory/main.mjs [--memories 100000] [--database FILE]      FILE is filled if it is not there, and kept.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root, runBundled } from '../bundle.mjs';
import { createEnvironment, lore, startServer, summarize, time } from '../stdio.mjs';

const { DatabaseSync } =
  process.getBuiltinModule('node:sqlite') ?? createRequire(import.meta.url)('@photostructure/sqlite');
const { values } = parseArgs({
  options: { memories: { type: 'string', default: '100000' }, database: { type: 'string' } },
});
const folder = mkdtempSync(join(tmpdir(), 'lore-bench-memory-'));
const database = values.database ?? join(folder, 'lore.db');
const project = `${database}.project`;
const env = createEnvironment(folder, { LORE_DB: database });
/** In milliseconds; that of `remember` is at least three bare commits on the same disk. */
const bounds = { recall: 15, enhance: 20, remember: 5, learn: 5 };
/** Of recall with the deep ranking, in milliseconds and megabytes. */
const deepBounds = { p50: 250, p95: 400, load: 400, memory: 150 };
/** Over a bare start of Node. */
const hookBounds = { served: 25, alone: 60 };

try {
  const count = Number(values.memories);
  const questions = await runBundled('bench/memory/fill.ts', { database, project, count, fill: !existsSync(database) });
  const server = await startServer({ env, cwd: project });
  await measureTools(server, questions);
  if (existsSync(join(root, 'assets/ranker.bin'))) await measureDeep();
  await measureHook(questions, 'with a server in the folder', hookBounds.served);
  server.child.kill();
  await measureHook(questions, 'with no server running', hookBounds.alone);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {Awaited<ReturnType<typeof startServer>>} server @param {{ asked: string[], prompts: string[], notes: string[] }} questions */
async function measureTools({ call }, { asked, prompts, notes }) {
  const tools = {
    recall: (/** @type {number} */ n) => ({ query: asked[n], rank: 'fast' }),
    enhance: (/** @type {number} */ n) => ({ prompt: prompts[n] }),
    remember: (/** @type {number} */ n) => ({ content: notes[n] }),
    learn: (/** @type {number} */ n) => ({ content: notes[n + 200] }),
  };
  for (const [name, args] of Object.entries(tools)) {
    for (let n = 0; n < 20; n++) await call(name, args(n));
    const times = [];
    for (let n = 20; n < 120; n++) {
      const begun = performance.now();
      const { structuredContent } = await call(name, args(n));
      times.push(performance.now() - begun);
      // What the last call left to be done in the background is not this one's.
      if (structuredContent.operation_id) await finish(call, structuredContent.operation_id);
    }
    const { p50, p95 } = summarize(times);
    const commit = name === 'remember' ? measureCommit() : 0;
    const bound = Math.max(bounds[name], 3 * commit);
    const beside = commit === 0 ? '' : ` | bare durable commit ${commit.toFixed(2)}`;
    console.log(
      `${name} | ${p50.toFixed(2)} ms (p95 ${p95.toFixed(2)})${beside} | bound ${bound.toFixed(1)} | ${p50 <= bound ? 'holds' : 'BROKEN'}`,
    );
  }
}

/** Among the others, which have no real words, decisions of about sixty tokens; in a server that has not loaded the model. */
async function measureDeep() {
  const { child, call, measureMemory } = await startServer({ env: { ...env, LORE_RANK: 'fast' }, cwd: project });
  const parts =
    'billing service,search index,login page,backup job,message queue,image cache,mobile client,test runner'.split(',');
  const acts =
    'deployed,restarted,reviewed,tested,measured,replaced,moved,locked,copied,renamed,split,closed,opened,shared,signed'.split(
      ',',
    );
  const decisions = parts.flatMap((part) => acts.map((act) => ({ part, act })));
  for (const [n, { part, act }] of decisions.entries()) {
    const content = `We decided in the meeting that the ${part} is ${act} on day ${n} after the release, because the ${parts[n % 7]} was too slow in the morning and nobody had looked at the logs; the team agreed to try it for two weeks and to write down what happened.`;
    await call('remember', { content });
  }
  const ask = (/** @type {number} */ n) => {
    const { part, act } = decisions[n];
    return time(() => call('recall', { query: `On which day is the ${part} ${act}, and why?`, rank: 'deep' }));
  };
  await call('recall', { query: 'Which decisions did we make?' });
  const before = measureMemory();
  const first = await ask(0);
  for (let n = 1; n < 20; n++) await ask(n);
  const times = [];
  for (let n = 20; n < 120; n++) times.push(await ask(n));
  const { p50, p95 } = summarize(times);
  const found = { p50, p95, load: first - p50, memory: measureMemory() - before };
  for (const [name, bound] of Object.entries(deepBounds)) {
    const value = found[/** @type {keyof typeof found} */ (name)];
    console.log(
      `recall, deep: ${name} | ${value.toFixed(0)} | bound ${bound} | ${value <= bound ? 'holds' : 'BROKEN'}`,
    );
  }
  child.kill();
}

/** One row, on disk when it returns, beside the database. */
function measureCommit() {
  const file = `${database}.commit`;
  const bare = new DatabaseSync(file);
  try {
    bare.exec('pragma journal_mode = wal; pragma synchronous = full; create table note (text text)');
    const insert = bare.prepare('insert into note values (?)');
    const times = [];
    for (let n = 0; n < 100; n++) {
      const begun = performance.now();
      insert.run('x'.repeat(200));
      times.push(performance.now() - begun);
    }
    return summarize(times).p50;
  } finally {
    bare.close();
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  }
}

/** @param {Awaited<ReturnType<typeof startServer>>['call']} call @param {string} id */
async function finish(call, id) {
  for (;;) {
    const { structuredContent } = await call('status', { operation_id: id });
    if (structuredContent.operations[0].state === 'done') return;
  }
}

/** @param {{ prompts: string[] }} questions @param {string} when @param {number} most */
async function measureHook({ prompts }, when, most) {
  const times = { hook: [], bare: [] };
  for (let n = 0; n < 25; n++) {
    const input = JSON.stringify({
      hook_event_name: 'UserPromptSubmit',
      prompt: prompts[n],
      cwd: project,
      session_id: 's',
    });
    times.hook.push(
      await time(() => spawnSync(process.execPath, [lore, 'hook', 'UserPromptSubmit'], { input, env, cwd: project })),
    );
    times.bare.push(await time(() => spawnSync(process.execPath, ['-e', '0'], { env })));
  }
  const [hook, bare] = [summarize(times.hook.slice(5)).p50, summarize(times.bare.slice(5)).p50];
  const bound = bare + most;
  console.log(
    `prompt hook, ${when} | ${hook.toFixed(1)} ms | node -e 0 ${bare.toFixed(1)} | bound ${bound.toFixed(1)} | ${hook <= bound ? 'holds' : 'BROKEN'}`,
  );
}
