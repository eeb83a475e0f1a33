'use strict';
// Runs a script from its compiled form, for versions of Node that do not keep one themselves: most of the time that a
// short command takes would go into compiling the same code again. It is kept in the user's own cache folder, since whoever
// writes there decides what runs.
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const Module = require('node:module');

module.exports = function runCached(file) {
  const place = findPlace(file);
  if (!place) return require(file);
  const cachedData = readOrNothing(place.file);
  const script = new vm.Script(Module.wrap(fs.readFileSync(file, 'utf8')), { filename: file, cachedData });
  if (!cachedData || script.cachedDataRejected) keepOnce(place, script);
  const own = new Module(file, module);
  own.filename = file;
  own.paths = Module._nodeModulePaths(path.dirname(file));
  script.runInThisContext().call(own.exports, own.exports, Module.createRequire(file), own, file, path.dirname(file));
};

/** What is started again and again keeps what it needs itself; all else shares what the first of them needed. */
const frequent = ['hook', 'stdio'];

/** One file for each script and use, named by all that makes it another. */
function findPlace(file) {
  const { LOCALAPPDATA, XDG_CACHE_HOME, HOME } = process.env;
  const home = process.platform === 'win32' ? LOCALAPPDATA : XDG_CACHE_HOME || (HOME && path.join(HOME, '.cache'));
  if (!home) return undefined;
  const { size, mtimeMs } = fs.statSync(file);
  const use = frequent.includes(process.argv[2]) ? process.argv[2] : 'any';
  const of = `${file.replace(/\W+/g, '-').slice(-80)}-${use}`;
  const folder = path.join(home, 'lorekeeper');
  const state = [process.version, process.arch, size, Math.floor(mtimeMs)].join('-');
  return { folder, of, file: path.join(folder, `${of}@${state}`) };
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
function keepOnce(place, script) {
  let isKept = false;
  const keepNow = () => {
    if (!isKept) keep(place, script);
    isKept = true;
  };
  process.once('exit', keepNow);
  setTimeout(keepNow, 2_000).unref();
}

function keep({ folder, of, file }, script) {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const outdated = fs.readdirSync(folder).filter((name) => name.startsWith(`${of}@`));
    for (const name of outdated) fs.rmSync(path.join(folder, name), { force: true });
    const passing = `${file}.${process.pid}`;
    fs.writeFileSync(passing, script.createCachedData(), { mode: 0o600 });
    fs.renameSync(passing, file);
  } catch {
    // Then the next run compiles again.
  }
}
