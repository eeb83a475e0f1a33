// What is found in realistic sentences, kind by kind, and what is left alone.
import { describe, expect, it } from 'vitest';
import { extractEntities } from './entity.ts';

type Case = [text: string, ...names: string[]];

function namesIn(text: string): string[] {
  return extractEntities(text)
    .map(({ kind, name }) => `${kind} ${name}`)
    .sort();
}

function check(cases: Case[]): void {
  it.each(cases.map(([text, ...names]) => ({ text, names })))('$text', ({ text, names }) => {
    expect(namesIn(text)).toEqual(names.sort());
  });
}

describe('files', () => {
  check([
    ['The bug is in src/graph/entity/entity.ts:12.', 'file src/graph/entity/entity.ts'],
    ['See ./src/a.ts:12 and src/a.ts, please', 'file src/a.ts'],
    ['at src/a/b.ts:12:34', 'file src/a/b.ts'],
    ['src/a.ts(12,5): error TS2322: no', 'file src/a.ts', 'error TS2322'],
    ['tests/test_x.py::test_add failed', 'file tests/test_x.py'],
    ['open C:\\work\\app\\main.cs now', 'file C:/work/app/main.cs'],
    ['open c:\\\\work\\\\app\\\\main.cs now', 'file C:/work/app/main.cs'],
    ['in "C:\\Program Files\\nodejs\\node.exe"', 'file C:/Program Files/nodejs/node.exe'],
    ['The Makefile and the Dockerfile build it', 'file Makefile', 'file Dockerfile'],
    ['Use Dockerfile.dev instead', 'file Dockerfile.dev'],
    [
      'Edit package.json, tsconfig.build.json and vite.config.ts',
      'file package.json',
      'file tsconfig.build.json',
      'file vite.config.ts',
    ],
    ['Put it in .env.local or .gitignore', 'file .env.local', 'file .gitignore'],
    ['look at /etc/nginx/nginx.conf', 'file /etc/nginx/nginx.conf'],
    ['It reads ~/.ssh/config and $HOME/.ssh/config', 'file ~/.ssh/config'],
    ['Error: cannot open "/var/log/app.log"', 'file /var/log/app.log'],
    ['see [the guide](docs/guide/start.md).', 'file docs/guide/start.md'],
    ['see [it](https://example.org/a) and (docs/x.md)', 'url https://example.org/a', 'file docs/x.md'],
    ['the route is app/[id]/page.tsx', 'file app/[id]/page.tsx'],
    ['the route is app/(shop)/cart/page.tsx.', 'file app/(shop)/cart/page.tsx'],
    ['everything below src/graph/ was moved', 'file src/graph'],
    ['--- a/src/x.ts\n+++ b/src/x.ts', 'file src/x.ts'],
    ['`src/core/../core/error.ts#L10-L20`', 'file src/core/error.ts'],
    ['file:///home/ada/notes.md', 'file /home/ada/notes.md'],
    ['README.md says otherwise', 'file README.md'],
    [
      'node_modules/.pnpm/zod@3.22.4/node_modules/zod/index.js',
      'file node_modules/.pnpm/zod@3.22.4/node_modules/zod/index.js',
    ],
    ['run it with --config=config/prod.yaml', 'file config/prod.yaml'],
    ['    at Object.<anonymous> (/app/dist/server.js:10:3)', 'file /app/dist/server.js'],
    ['Cargo.lock and go.mod changed', 'file Cargo.lock', 'file go.mod'],
    ['it imports ../core/error.ts', 'file ../core/error.ts'],
    ['.github/workflows/ci.yml is broken', 'file .github/workflows/ci.yml'],
  ]);
});

describe('symbols', () => {
  check([
    ['call parseConfig() first', 'symbol parseConfig'],
    ['`parseConfig` and parseConfig() are one', 'symbol parseConfig'],
    ['the column created_at is null', 'symbol created_at'],
    ['set DATABASE_URL before', 'symbol DATABASE_URL'],
    ['Registry.callTool throws', 'symbol Registry.callTool'],
    ['`Registry#call` and `Registry.call`', 'symbol Registry.call'],
    ['std::vector<int> is returned', 'symbol std::vector'],
    ['tokio::sync::Mutex deadlocks', 'symbol tokio::sync::Mutex'],
    ['the field `#private` is hidden', 'symbol #private'],
    ['this.#cache is stale', 'symbol #cache'],
    ['useEffect runs twice', 'symbol useEffect'],
    ['the `Draft` class', 'symbol Draft'],
    ['`class Draft` holds it', 'symbol Draft'],
    ['`function readAll(path, options)` is slow', 'symbol readAll'],
    ['the UserService talks to the HttpClient', 'symbol UserService', 'symbol HttpClient'],
    ['use Promise.all here', 'symbol Promise.all'],
    ['process.env is read once', 'symbol process.env'],
    ['Math.max(x) everywhere', 'symbol Math.max'],
    ['res.json() hangs', 'symbol res.json'],
    ['$this->userRepo->find($id)', 'symbol userRepo.find'],
    ['the __init__ method', 'symbol __init__'],
    ['`Array.prototype.map` and Array.map', 'symbol Array.map'],
    ['memory_search returns nothing', 'symbol memory_search'],
    ['main() never returns', 'symbol main'],
    ['the `Map<string, Found>` grows', 'symbol Map'],
  ]);
});

describe('packages', () => {
  check([
    ["import { z } from 'zod';", 'package zod'],
    ["import {\n  a,\n  b,\n} from 'lodash/fp'", 'package lodash'],
    ["export * from '@scope/pkg/sub'", 'package @scope/pkg'],
    ["const fs = require('fs')", 'package node:fs'],
    ["import { readFile } from 'node:fs/promises';", 'package node:fs/promises', 'symbol readFile'],
    ["import './style.css'", 'file style.css'],
    ['from django.db import models', 'package django'],
    ['import numpy as np', 'package numpy'],
    ['use serde::Deserialize;', 'package serde', 'symbol serde::Deserialize'],
    ['we moved to @modelcontextprotocol/sdk.', 'package @modelcontextprotocol/sdk'],
    ['`better-sqlite3` does not build', 'package better-sqlite3'],
    ['the `ms` package is tiny', 'package ms'],
    ['lodash@4.17.21 is vulnerable', 'package lodash'],
    ['`import x from "y-z"`', 'package y-z'],
    ["await import('ajv')", 'package ajv'],
  ]);
});

describe('errors', () => {
  check([
    ['Uncaught TypeError: x is not a function', 'error TypeError'],
    ['java.lang.NullPointerException at start', 'error NullPointerException'],
    ['two OSErrors and an IOError', 'error OSError', 'error IOError'],
    ['ENOENT: no such file', 'error ENOENT'],
    ['[Errno 2] No such file', 'error Errno 2'],
    ['error[E0382]: borrow of moved value', 'error E0382'],
    ['error TS2322 and ts(2322)', 'error TS2322'],
    ['ORA-00942: table or view does not exist', 'error ORA-00942'],
    ['SQLSTATE[42S02]: Base table', 'error SQLSTATE 42S02'],
    ['failed with SQLSTATE 23505', 'error SQLSTATE 23505'],
    ['SQLITE_BUSY again', 'error SQLITE_BUSY'],
    ['ERR_MODULE_NOT_FOUND', 'error ERR_MODULE_NOT_FOUND'],
    ['it exited with code 137', 'error exit code 137'],
    ['exit status 2', 'error exit code 2'],
    ['the process exits with a non-zero exit code: 3', 'error exit code 3'],
    ['exit code 0'],
    ['HTTP 404 on every page', 'error HTTP 404'],
    ['HTTP/1.1 502 Bad Gateway', 'error HTTP 502'],
    ['status code 429', 'error HTTP 429'],
    ['the query returned 404 rows'],
    ['about 500 people came'],
    ['sql.ErrNoRows is wrapped', 'error ErrNoRows'],
    ['Segmentation fault (core dumped)', 'error SIGSEGV'],
    ['the pod was OOMKilled', 'error OOMKilled'],
    ['`LoreError` is thrown', 'error LoreError'],
    ['An Error happened, an Exception to the rule'],
  ]);
});

describe('addresses', () => {
  check([
    ['see https://Example.ORG/Path/.', 'url https://example.org/Path'],
    ['(https://en.wikipedia.org/wiki/Foo_(bar))', 'url https://en.wikipedia.org/wiki/Foo_(bar)'],
    ['https://a.io/x?utm_source=b&id=3&gclid=9#top', 'url https://a.io/x?id=3#top'],
    ['https://example.org and HTTPS://example.org/', 'url https://example.org'],
    ['<http://localhost:3000/health>', 'url http://localhost:3000/health'],
    ['https://ada:s3cret@example.org/x', 'url https://example.org/x'],
    ['https://github.com/a/b/blob/main/src/x.ts#L3', 'url https://github.com/a/b/blob/main/src/x.ts#L3'],
    ['https://api.example.org/{id}/x'],
    ['[![x](https://a.io/b.svg)](https://a.io/c)', 'url https://a.io/b.svg', 'url https://a.io/c'],
    ['https://...'],
  ]);

  it('never repeat a password', () => {
    expect(JSON.stringify(extractEntities('https://ada:s3cret@example.org/x'))).not.toContain('s3cret');
  });
});
