#!/usr/bin/env node
'use strict';
// The door for every Node: it must parse on old ones, so that they get a sentence and not a syntax error.
var needed = [20, 19];
var have = process.versions.node.split('.').map(Number);
if (have[0] < needed[0] || (have[0] === needed[0] && have[1] < needed[1])) {
  process.stderr.write(
    'lorekeeper needs Node.js ' + needed.join('.') + ' or newer; this is ' + process.versions.node + '.\n',
  );
  process.exit(1);
}
var compileCache = require('node:module').enableCompileCache;
if (compileCache) compileCache();
if (process.argv[2] === 'hook') require('../dist/hook.cjs').askServer(runMain);
else runMain();

function runMain() {
  if (compileCache) require('../dist/main.cjs');
  else require('./cached.cjs')(require.resolve('../dist/main.cjs'));
}
