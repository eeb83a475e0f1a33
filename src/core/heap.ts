// How much memory something may take, as a share of what V8 lets this process have: bounds follow the machine and
// `--max-old-space-size` without a setting for each.
import { getHeapStatistics } from 'node:v8';

let limit: number | undefined;

/** A part of the heap's limit, in bytes: `heapShare(1 / 4)` is a quarter of it. */
export function heapShare(share: number): number {
  limit ??= getHeapStatistics().heap_size_limit;
  return Math.floor(limit * share);
}
