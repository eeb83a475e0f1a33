// Finds the local user at the other end of a loopback connection. Linux lists every TCP socket with its user in /proc/net/tcp
// and tcp6: the peer's row has our two addresses swapped. Other systems offer nothing as cheap, so there only a token excludes
// other users.
import { open } from 'node:fs/promises';
import { isIPv4, type Socket } from 'node:net';
import { join } from 'node:path';

/** "unknown" if the list does not contain it: the peer is in another network namespace, or gone. */
export type PeerUser = 'own' | 'other' | 'unknown';

export const canSeePeers = process.platform === 'linux' || process.platform === 'android';

/** About 100,000 sockets; connections beyond are refused. */
const maxTableBytes = 16 << 20;

/** The id of all users without an id in this user namespace, so it identifies nobody. */
const overflowUid = 65_534;

/** Established, or closed for writing only. In any other state it may be a later socket with the same ports. */
const liveStates = ['01', '04', '05'];

type Addresses = Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>;

interface Row {
  uid: number;
  inode: string;
}

/**
 * Looks up each connection once: returns a promise first, then the user. Root counts as our user, since it can read
 * everything.
 */
export function createPeers(
  folder = '/proc/net',
  ownUid = process.getuid?.(),
): (socket: Socket) => PeerUser | Promise<PeerUser> {
  const found = new WeakMap<Socket, PeerUser | Promise<PeerUser>>();
  const readTcp = shareReads(join(folder, 'tcp'));
  const readTcp6 = shareReads(join(folder, 'tcp6'));

  async function lookUp(socket: Socket): Promise<PeerUser> {
    const isV4 = isIPv4(socket.localAddress ?? '');
    const table = await (isV4 ? readTcp : readTcp6)();
    // Reading the peer's address is a system call that fails if the connection is gone. At this point it proves that no other
    // socket had these ports while the table was read.
    const row = findPeer(table, socket, isV4 ? 4 : 6) ?? (isV4 ? await findMapped(table, socket) : undefined);
    if (!row) return 'unknown';
    return row.uid === 0 || (row.uid === ownUid && row.uid !== overflowUid) ? 'own' : 'other';
  }

  /** IPv6 sockets, which Java uses for everything, are in the other table; our side of the connection is not. */
  async function findMapped(table: string, socket: Socket): Promise<Row | undefined> {
    const ours = findOwn(table, socket);
    const row = ours && findPeer(await readTcp6(), socket, 'mapped');
    // It is still the same connection after the other table was read.
    return row && findOwn(await readTcp(), socket)?.inode === ours.inode ? row : undefined;
  }

  return (socket) => {
    const known = found.get(socket);
    if (known !== undefined) return known;
    const pending = lookUp(socket).catch((): PeerUser => 'unknown');
    found.set(socket, pending);
    void pending.then((user) => found.set(socket, user));
    return pending;
  };
}

/** Reading takes milliseconds, so concurrent connections share a read that began after they connected. */
function shareReads(file: string): () => Promise<string> {
  let current: Promise<string> | undefined;
  let next: Promise<string> | undefined;
  const begin = () => {
    next = undefined;
    current = readTable(file).finally(() => {
      current = undefined;
    });
    return current;
  };
  return () => {
    if (!current) return begin();
    next ??= current.then(begin, begin);
    return next;
  };
}

async function readTable(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const parts: Buffer[] = [];
    for (let size = 0; size < maxTableBytes; size += parts.at(-1)?.length ?? 0) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(1 << 14));
      if (bytesRead === 0) break;
      parts.push(buffer.subarray(0, bytesRead));
    }
    return Buffer.concat(parts).toString('latin1');
  } finally {
    await handle.close();
  }
}

type Form = 4 | 6 | 'mapped';

export function findPeer(table: string, socket: Addresses, form: Form): Row | undefined {
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  return findRow(table, write(remoteAddress, remotePort, form), write(localAddress, localPort, form));
}

function findOwn(table: string, socket: Addresses): Row | undefined {
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  return findRow(table, write(localAddress, localPort, 4), write(remoteAddress, remotePort, 4));
}

function findRow(table: string, local: string | undefined, remote: string | undefined): Row | undefined {
  if (local === undefined || remote === undefined) return undefined;
  const addresses = `: ${local} ${remote} `;
  for (let at = table.indexOf(addresses); at !== -1; at = table.indexOf(addresses, at + 1)) {
    const rest = table.slice(at + addresses.length, at + addresses.length + 120);
    const [, state = '', uid, inode] = /^(\w\w) \S+ \S+ \S+ +(\d+) +\d+ (\d+) /.exec(rest) ?? [];
    // A socket that its program closed has no inode, and its user is unknown.
    if (liveStates.includes(state) && inode !== undefined && inode !== '0') return { uid: Number(uid), inode };
  }
  return undefined;
}

/** In the kernel's format: four-byte words in host byte order, in hexadecimal. */
function write(address: string | undefined, port: number | undefined, form: Form): string | undefined {
  const bytes = address === undefined ? undefined : bytesOf(address, form);
  if (!bytes || port === undefined) return undefined;
  const words = [...new Uint32Array(bytes.buffer)].map((word) => hex(word, 8));
  return `${words.join('')}:${hex(port, 4)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}

function bytesOf(address: string, form: Form): Uint8Array | undefined {
  if (form === 6) return address === '::1' ? new Uint8Array(16).fill(1, 15) : undefined;
  if (!isIPv4(address)) return undefined;
  const v4 = address.split('.').map(Number);
  return Uint8Array.from(form === 4 ? v4 : [...new Array<number>(10).fill(0), 0xff, 0xff, ...v4]);
}
