// The size limit of a result: the bytes of everything that is sent, as JSON. Most results need not be serialised to check
// it, because the lengths of their texts are enough.
import { LoreError } from '../error.ts';

export class ResultTooLarge extends LoreError {
  constructor(action: string, most: number) {
    super('limit_exceeded', `Cannot ${action}: the result is larger than ${most} bytes`, {
      hint: 'Request less at once, or raise the setting max_result_bytes.',
    });
  }
}

export function isLarger(value: unknown, most: number): boolean {
  const { least, worst } = estimate(value, most, { least: 0, worst: 0 });
  if (worst <= most || least > most) return least > most;
  return Buffer.byteLength(JSON.stringify(value) ?? '') > most;
}

interface Size {
  /** Every character takes a byte. */
  least: number;
  /** Every character is escaped, as in \u0001. */
  worst: number;
}

const bytesOfEscape = 6;
/** More than a number, a literal, or the punctuation around a member takes. */
const bytesOfScalar = 32;

function estimate(value: unknown, most: number, size: Size): Size {
  if (typeof value === 'string') {
    size.least += value.length;
    size.worst += value.length * bytesOfEscape + bytesOfScalar;
  } else if (Array.isArray(value)) {
    size.worst += bytesOfScalar;
    for (const item of value) {
      if (size.least > most) return size;
      estimate(item, most, size);
    }
  } else if (typeof value === 'object' && value !== null) {
    size.worst += bytesOfScalar;
    for (const key in value) {
      if (size.least > most) return size;
      size.worst += key.length * bytesOfEscape + bytesOfScalar;
      estimate((value as { [key: string]: unknown })[key], most, size);
    }
  } else size.worst += bytesOfScalar;
  return size;
}
