// The event log from outside: what is refused until a person allows it, a cancelled call, and the command line. journalctl
// is the real one, led to a journal of the test's own.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { injections } from '../support/eventlog.ts';
import { createFolder } from '../support/folder.ts';
import { journalctlMissing, journalEntry, layJournal } from '../support/journal.ts';
import { runLore, spawnLore } from '../support/lore.ts';
import { isAlive } from '../support/process.ts';

const home = createFolder('eventlog-home');
const journal = join(home, 'journal');
const config = join(home, 'config.json');
const total = 523;

/** In place of journalctl. */
function play(script: string): Record<string, string> {
  const folder = createFolder('programs');
  writeFileSync(join(folder, 'journalctl'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'journalctl'), 0o755);
  return {
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    LORE_DB: join(home, 'lore.db'),
    LORE_CONFIG: config,
  };
}

const realJournalctl = spawnSync('sh', ['-c', 'command -v journalctl']).stdout.toString().trim();
const reading = () => play(`exec ${realJournalctl} --directory '${journal}' "$@"`);

function connect(env: Record<string, string>) {
  const child = spawnLore(['stdio', '--structured'], env);
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    send: (line: string) => child.stdin.write(`${line}\n`),
    next: async () => JSON.parse((await lines.next()).value as string),
  };
}

const opening =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientInfo":{"name":"Claude","version":"1.0"}}}';
const querying =
  '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"eventlog_query","arguments":{"logName":"System","limit":50}}}';

describe.skipIf(journalctlMissing !== undefined)(
  `the event log${journalctlMissing ? ` (skipped: ${journalctlMissing})` : ''}`,
  () => {
    beforeAll(async () => {
      mkdirSync(home, { recursive: true });
      const entry = (n: number) =>
        journalEntry(n, {
          SYSLOG_IDENTIFIER: 'kernel',
          _TRANSPORT: 'kernel',
          PRIORITY: 3,
          MESSAGE: `Failed password for bob from 203.0.113.9 port ${n}`,
        });
      await layJournal(
        journal,
        'passwords',
        Array.from({ length: total }, (_, n) => entry(n)),
      );
      writeFileSync(config, JSON.stringify({ permissions: { eventlog: 'read' } }));
    });

    it('uses the revision that the client names', async () => {
      const { send, next } = connect(reading());
      send(opening.replace('}}', '},"protocolVersion":"2025-06-18"}'));
      expect(await next()).toMatchObject({ id: 1, result: { protocolVersion: '2025-06-18' } });
      send(querying);
      expect(await next()).toMatchObject({
        id: 3,
        result: {
          structuredContent: {
            totalCount: total,
            entries: expect.arrayContaining([
              {
                id: total,
                logName: 'system',
                level: 'ERROR',
                source: 'kernel',
                eventId: 0,
                message: `Failed password for bob from 203.0.113.9 port ${total - 1}`,
                timestamp: '2023-11-14T22:22:02.000Z',
              },
            ]),
          },
        },
      });
    });

    it('is off until a user allows it, and explains how', async () => {
      const { send, next } = connect({ ...reading(), LORE_CONFIG: join(createFolder('none'), 'config.json') });
      send(opening);
      await next();
      send(querying);
      expect(await next()).toMatchObject({
        result: {
          isError: true,
          structuredContent: { error: { code: 'forbidden', hint: expect.stringContaining('lore allow eventlog') } },
        },
      });
    });

    it('refuses escapes, and logs every attempt', async () => {
      const folder = createFolder('audited');
      const { send, next } = connect({ ...reading(), LORE_DB: join(folder, 'lore.db'), LORE_RATE_LIMIT: '1000' });
      send(opening);
      await next();
      const attempts = [
        ...injections.map((logName) => ({ logName })),
        ...injections.map((cursor) => ({ logName: 'System', cursor })),
        ...injections.map((since) => ({ logName: 'System', since })),
        ...injections.map((minLevel) => ({ logName: 'System', minLevel })),
      ];
      for (const [n, args] of attempts.entries()) {
        const params = { name: 'eventlog_query', arguments: args };
        send(JSON.stringify({ jsonrpc: '2.0', id: 100 + n, method: 'tools/call', params }));
        const { result } = (await next()) as {
          result: { isError: boolean; structuredContent: { error: { code: string } } };
        };
        expect(result.isError, JSON.stringify(args)).toBe(true);
        expect(result.structuredContent.error.code).toMatch(/^(?:invalid_input|not_found)$/);
      }
      const lines = readFileSync(join(folder, 'audit.jsonl'), 'utf8').trimEnd().split('\n');
      const refused = lines.filter(
        (line) => /"eventlog_query"/.test(line) && /"(?:invalid_input|not_found)"/.test(line),
      );
      expect(refused).toHaveLength(attempts.length);
    });

    it('ends the program it runs when a call is cancelled', async () => {
      const pidFile = join(createFolder('pid'), 'pid');
      const there = 'case "$*" in *--lines=1\\ *) echo "{}"; exit 0;; *--header*) exit 0;; esac';
      const { send, next } = connect(play(`${there}\necho $$ > '${pidFile}'\nexec sleep 600`));
      send(opening);
      await next();
      send(querying);
      await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n')).toBe(true);
      const pid = Number(readFileSync(pidFile, 'utf8'));
      expect(isAlive(pid)).toBe(true);
      send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3,"reason":"enough"}}');
      await expect.poll(() => isAlive(pid)).toBe(false);
    });

    it('is a command, with pseudonyms that only reveal resolves', async () => {
      const env = { ...reading(), LORE_PSEUDONYMS: '1' };
      const told = await runLore(['eventlog_query', 'System', '--limit', '2', '--json'], { env });
      expect(told).toMatchObject({ code: 0 });
      expect(told.stdout).not.toMatch(/bob|203\.0\.113/);
      const [user] = /user-[0-9a-f]{8}/.exec(told.stdout) ?? [];
      const revealed = await runLore(['reveal', user as string], { env });
      expect(revealed).toMatchObject({ code: 0, stdout: `${user}  bob\n` });
      expect(await runLore(['reveal', 'user-00000000'], { env })).toMatchObject({ code: 3, stdout: '' });
      const shown = await runLore(['eventlog_query', 'kernel', '--limit', '1'], { env: reading() });
      expect(shown.stdout).toContain(`Failed password for bob from 203.0.113.9 port ${total - 1}`);
    });
  },
);
