// A hybrid logical clock: wall time where clocks agree, and later than everything it has seen where they do not. Times are texts of
// one length, so that they sort as text in both databases and in files.

const msDigits = 9;
const countDigits = 4;
const mostCount = 36 ** countDigits - 1;
/** The first digit is limited, so that a hostile time still has a later one. */
const form = /^[0-9a-y][0-9a-z]{12}$/;

export function isSharedTime(text: unknown): text is string {
  return typeof text === 'string' && form.test(text);
}

/** The wall time, unless something seen is later: then the next moment after it. */
export function tick(wall: number, seen: readonly string[]): string {
  const now = write(Math.max(0, Math.floor(wall)), 0);
  const last = seen.reduce((latest, one) => (one > latest ? one : latest), '');
  if (now > last) return now;
  const count = Number.parseInt(last.slice(msDigits), 36);
  return count < mostCount ? write(msOf(last), count + 1) : write(msOf(last) + 1, 0);
}

/** For people; it may be years off. */
export function msOf(time: string): number {
  return Number.parseInt(time.slice(0, msDigits), 36);
}

function write(ms: number, count: number): string {
  return ms.toString(36).padStart(msDigits, '0') + count.toString(36).padStart(countDigits, '0');
}
