// The kernel's table of sockets, row by row. Real connections are in test/e2e/other-user.test.ts.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { endianness, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPeers } from './peer.ts';

const v4 = { localAddress: '127.0.0.1', localPort: 8081, remoteAddress: '127.0.0.1', remotePort: 54180 };
const v6 = { ...v4, localAddress: '::1', remoteAddress: '::1' };
const server4 = '0100007F:1F91';
const client4 = '0100007F:D3A4';
const loopback6 = '00000000000000000000000001000000';
const mapped = '0000000000000000FFFF00000100007F';
const heading = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';

function row(local: string, remote: string, uid: number, state = '01', inode = 2112369): string {
  const rest = `${state} 00000000:00000000 00:00000000 00000000 ${String(uid).padStart(5)}        0 ${inode} 1 00 20 4 30`;
  return `   7: ${local} ${remote} ${rest}\n`;
}

const ours = row(server4, client4, 1000, '01', 9);

async function userOf(tables: { tcp?: string; tcp6?: string }, addresses = v4, ownUid = 1000) {
  const folder = mkdtempSync(join(tmpdir(), 'lore-peer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, rows] of Object.entries(tables)) writeFileSync(join(folder, name), heading + rows);
  return createPeers(folder, ownUid)({ ...addresses } as Socket);
}

describe.skipIf(endianness() !== 'LE')('the user of a connection (tables of little-endian machines)', () => {
  it.each([
    ['its own user', { tcp: ours + row(client4, server4, 1000) }, 'own'],
    ['root', { tcp: ours + row(client4, server4, 0) }, 'own'],
    ['another user', { tcp: ours + row(client4, server4, 1001) }, 'other'],
    ['closed for writing', { tcp: row(client4, server4, 1000, '05') }, 'own'],
    ['closed by its program: uid 0, no inode', { tcp: row(client4, server4, 0, '05', 0) }, 'unknown'],
    ['waiting after its end', { tcp: row(client4, server4, 0, '06', 0) }, 'unknown'],
    ['connecting anew from the same port', { tcp: row(client4, server4, 1000, '02') }, 'unknown'],
    ['an old row before its own', { tcp: row(client4, server4, 0, '06', 0) + row(client4, server4, 1001) }, 'other'],
    ['only our side of it', { tcp: ours }, 'unknown'],
    ['another port', { tcp: row('0100007F:D3A5', server4, 1000) }, 'unknown'],
    ['IPv4 in an IPv6 socket', { tcp: ours, tcp6: row(`${mapped}:D3A4`, `${mapped}:1F91`, 1000) }, 'own'],
    ['the same of another user', { tcp: ours, tcp6: row(`${mapped}:D3A4`, `${mapped}:1F91`, 1001) }, 'other'],
    ['the same without our side', { tcp: '', tcp6: row(`${mapped}:D3A4`, `${mapped}:1F91`, 1000) }, 'unknown'],
    ['no table', {}, 'unknown'],
  ])('%s', async (_, tables, expected) => {
    expect(await userOf(tables)).toBe(expected);
  });

  it('is found on IPv6', async () => {
    const tcp6 = row(`${loopback6}:D3A4`, `${loopback6}:1F91`, 1001);
    expect(await userOf({ tcp6 }, v6)).toBe('other');
  });

  it('is unknown when the user namespace has no number for it', async () => {
    expect(await userOf({ tcp: row(client4, server4, 65_534) }, v4, 65_534)).toBe('other');
  });

  it('is unknown when the connection is gone', async () => {
    const gone = { ...v4, remoteAddress: undefined, remotePort: undefined } as unknown as typeof v4;
    expect(await userOf({ tcp: row(client4, server4, 1000) }, gone)).toBe('unknown');
  });
});
