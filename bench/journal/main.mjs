// The journal bench: checkpoints over stdio while there are more and more of them, and what the server's memory does.
// node bench/journal/main.mjs [--checkpoints 10000] [--size 50000]
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runBundled } from '../bundle.mjs';
import { createEnvironment, startServer, summarize, time } from '../stdio.mjs';

const { values } = parseArgs({
  options: { checkpoints: { type: 'string', default: '10000' }, size: { type: 'string', default: '50000' } },
});
const count = Number(values.checkpoints);
const bounds = { save: 10, list: 20, search: 20 };
const folder = mkdtempSync(join(tmpdir(), 'lore-bench-journal-'));
const project = join(folder, 'project');
const env = createEnvironment(folder);

try {
  mkdirSync(project);
  const { texts, questions } = await runBundled('bench/journal/texts.ts', { count: 500, size: Number(values.size) });
  const server = await startServer({ env, cwd: project });
  const saves = [];
  for (let n = 0; n < count; n++) {
    const text = texts[n % texts.length];
    const cut = (n * 997) % text.length;
    const content = `# Checkpoint ${n}\n\n${text.slice(cut)}\n\n${text.slice(0, cut)}`;
    saves.push(await time(() => server.call('checkpoint_save', { content })));
    if ((n + 1) % (count / 5) === 0) await report(server, n + 1, saves.splice(0), questions);
  }
  server.child.kill();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * @param {Awaited<ReturnType<typeof startServer>>} server
 * @param {number} stored @param {number[]} saves @param {string[]} questions
 */
async function report(server, stored, saves, questions) {
  const list = [];
  const search = [];
  for (let n = 0; n < 60; n++) {
    list.push(await time(() => server.call('checkpoint_list', {})));
    search.push(await time(() => server.call('checkpoint_search', { query: questions[n % questions.length] })));
  }
  const tell = (/** @type {keyof typeof bounds} */ name, /** @type {number[]} */ times) => {
    const { p50, p95 } = summarize(times);
    return `${name} ${p50.toFixed(1)} ms (p95 ${p95.toFixed(1)}) ${p50 <= bounds[name] ? 'holds' : `BROKEN, bound ${bounds[name]}`}`;
  };
  console.log(
    [
      `${stored} checkpoints`,
      tell('save', saves),
      tell('list', list),
      tell('search', search),
      `${server.measureMemory().toFixed(0)} MB`,
    ].join(' | '),
  );
}
