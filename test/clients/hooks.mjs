// `lore install` into a real Claude Code with a home of its own: the server connects, a fact said in one session is in the
// context of the next, and uninstalling leaves the settings as they were.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findInSuccess } from './bench.mjs';
import { runChild } from './child.mjs';
import { readWire } from './tap.mjs';

const FACT = 'The API gateway listens on port 8443.';
const QUESTION = 'On which port does the API gateway listen?';
const SETTINGS = '{\n  "cleanupPeriodDays": 30\n}\n';

export async function checkClaudeHooks(bench) {
  const home = join(bench.home, 'hooks');
  const settings = join(home, '.claude', 'settings.json');
  mkdirSync(join(home, '.claude'), { recursive: true });
  writeFileSync(settings, SETTINGS);
  const env = { HOME: home, XDG_DATA_HOME: join(home, '.data'), XDG_CONFIG_HOME: join(home, '.config') };

  await bench.check('stdio', 'install', async () => {
    findInSuccess(await runLore(bench, env, ['install', 'claude-code']), /^Claude Code \(user\)$/m);
    return findInSuccess(await bench.run(['mcp', 'list'], { env }), /^lorekeeper: .*✔ Connected/m);
  });
  await bench.check('stdio', 'hooks', async () => {
    await askModel(bench, env, FACT, 'said');
    const seen = await askModel(bench, env, QUESTION, 'asked');
    const known = seen.filter(
      (line) => line.includes('/v1/messages') && line.includes(QUESTION) && line.includes('8443'),
    );
    if (known.length === 0) throw new Error('the second session was not told of what the first one said');
    return /[^"]{0,60}8443[^"\\]{0,20}/.exec(known[0])[0];
  });
  await bench.check('stdio', 'uninstall', async () => {
    const end = await runLore(bench, env, ['uninstall', 'claude-code']);
    const done = findInSuccess(end, /^Claude Code \(user\)$/m);
    if (readFileSync(settings, 'utf8') !== SETTINGS)
      throw new Error(`the settings differ: ${readFileSync(settings, 'utf8')}`);
    // The program has written into its own file meanwhile; ours has to be gone from it.
    if (readFileSync(join(home, '.claude.json'), 'utf8').includes('lorekeeper'))
      throw new Error('the server is still there');
    return done;
  });
}

/** One session with one prompt; what the model was sent. */
async function askModel(bench, env, prompt, name) {
  const log = `${bench.home}.hooks.${name}.wire`;
  const model = await bench.openModel({ vendor: 'anthropic', pattern: 'none' }, log);
  try {
    const end = await bench.run(['-p', prompt], {
      env: { ...env, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'dummy', ENABLE_TOOL_SEARCH: 'false' },
    });
    findInSuccess(end, /no tool none/);
    return readWire(log).lines;
  } finally {
    model.close();
  }
}

function runLore(bench, env, args) {
  const given = { PATH: process.env.PATH, ...env };
  return runChild(process.execPath, [bench.server.entry, ...args], { cwd: bench.home, env: given, timeoutMs: 30_000 });
}
