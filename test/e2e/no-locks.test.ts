// A database on a file system without file locks, simulated by a preloaded library.
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { runLore } from '../support/lore.ts';

const source = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
static int answer(const char *name, int file, int command, void *argument) {
  if (command == F_SETLK || command == F_SETLKW) { errno = ENOLCK; return -1; }
  int (*next)(int, int, void *) = dlsym(RTLD_NEXT, name);
  return next(file, command, argument);
}
#define GET va_list list; va_start(list, command); void *argument = va_arg(list, void *); va_end(list)
int fcntl(int file, int command, ...) { GET; return answer("fcntl", file, command, argument); }
int fcntl64(int file, int command, ...) { GET; return answer("fcntl64", file, command, argument); }
`;

const canBuild = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0;

it.skipIf(!canBuild)(
  'a file system without locks (needs a C compiler): is named, and not another process',
  async () => {
    const folder = createFolder('no-locks');
    const [file, library] = [join(folder, 'locks.c'), join(folder, 'locks.so')];
    writeFileSync(file, source);
    execFileSync('cc', ['-shared', '-fPIC', '-o', library, file, '-ldl']);
    const place = createFolder('database');
    const env = { LD_PRELOAD: library, LORE_DB: join(place, 'lore.db'), LORE_DB_WAIT_MS: '200' };
    const { code, stderr } = await runLore(['remember', 'The walrus sleeps.'], { env });
    expect(code).not.toBe(0);
    expect(stderr).toContain('its file system does not support file locks');
    expect(readdirSync(place).filter((name) => name.startsWith('lock-test'))).toEqual([]);
  },
);
