'use strict';
// Runs the program's files from their compiled form, for versions of Node that do not keep one themselves: most of the time
// that a short command takes would go into compiling the same code again. It is kept in the user's own cache folder, since
// whoever writes there decides what runs.
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const Module = require('node:module');

/** Compiling a smaller one takes no longer than reading what was kept. */
const minSize = 8_000;
/** What is started again and again keeps what it needs itself; all else shares what the first of them needed. */
const frequent = ['hook', 'serve', 'stdio'];

module.exports = function runCached(file) {
  const folder = findFolder();
  if (!folder) return require(file);
  const loaded = new Map();
  const dist = path.dirname(file);
  const requireOther = Module.createRequire(file);
  const load = (name) => {
    const known = loaded.get(name);
    if (known) return known.exports;
    const place = path.join(dist, name);
    const own = new Module(place, module);
    loaded.set(name, own);
    own.filename = place;
    const script = compile(place, folder);
    const requireIt = (id) => (id.startsWith('./') ? load(id.slice(2)) : requireOther(id));
    script.runInThisContext().call(own.exports, own.exports, requireIt, own, place, dist);
    return own.exports;
  };
  load(path.basename(file));
};

function compile(file, folder) {
  const source = fs.readFileSync(file, 'utf8');
  const use = frequent.includes(process.argv[2]) ? process.argv[2] : 'any';
  // The end of a file's name changes with its content.
  const of = `${file
    .replace(/-[\w-]{8}\.cjs$/, '')
    .replace(/\W+/g, '-')
    .slice(-80)}-${use}`;
  const place = path.join(folder, `${of}@${process.version}-${process.arch}-${path.basename(file)}`);
  const cachedData = source.length < minSize ? undefined : readOrNothing(place);
  const script = new vm.Script(Module.wrap(source), { filename: file, cachedData });
  if (source.length >= minSize && (!cachedData || script.cachedDataRejected)) keepOnce({ folder, of, place }, script);
  return script;
}

function findFolder() {
  const { LOCALAPPDATA, XDG_CACHE_HOME, HOME } = process.env;
  const home = process.platform === 'win32' ? LOCALAPPDATA : XDG_CACHE_HOME || (HOME && path.join(HOME, '.cache'));
  return home && path.join(home, 'lorekeeper');
}

function readOrNothing(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

/**
 * At the end, when the functions that this run needed are compiled, too, and are kept with the rest; or after a while, since
 * a server may be ended without notice.
 */
function keepOnce(target, script) {
  let isKept = false;
  const keepNow = () => {
    if (!isKept) keep(target, script);
    isKept = true;
  };
  process.once('exit', keepNow);
  setTimeout(keepNow, 2_000).unref();
}

function keep({ folder, of, place }, script) {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const outdated = fs.readdirSync(folder).filter((name) => name.startsWith(`${of}@`));
    for (const name of outdated) fs.rmSync(path.join(folder, name), { force: true });
    const passing = `${place}.${process.pid}`;
    fs.writeFileSync(passing, script.createCachedData(), { mode: 0o600 });
    fs.renameSync(passing, place);
  } catch {
    // Then the next run compiles again.
  }
}
