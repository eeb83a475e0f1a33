// Reads the input of a hook, without creating Node's stream for standard input, which would take longer than everything else;
// and only once, although two scripts may need it.
import { read } from 'node:fs';

const kept = Symbol.for('lorekeeper.hook-input');
const shared = globalThis as { [kept]?: Promise<string> };

export function readHookText(): Promise<string> {
  shared[kept] ??= readAll();
  return shared[kept];
}

async function readAll(): Promise<string> {
  const parts: Buffer[] = [];
  for (;;) {
    const part = await readPart();
    if (part.length === 0) return Buffer.concat(parts).toString();
    parts.push(part);
  }
}

function readPart(): Promise<Buffer> {
  const part = Buffer.allocUnsafe(1 << 16);
  return new Promise((resolve, reject) => {
    read(0, part, 0, part.length, null, (error, length) => {
      if (!error) resolve(part.subarray(0, length));
      // Windows reports the end as an error; a non-blocking pipe reports that there is no data yet.
      else if (error.code === 'EOF') resolve(part.subarray(0, 0));
      else if (error.code === 'EAGAIN') setTimeout(() => readPart().then(resolve, reject), 1);
      else reject(error);
    });
  });
}
