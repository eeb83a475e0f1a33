// Memory limits as a share of the heap that V8 allows this process, so that they follow the machine and
// `--max-old-space-size` without a setting each.
import { getHeapStatistics } from 'node:v8';

let limit: number | undefined;

/** A part of the heap's limit, in bytes: `heapShare(1 / 4)` is a quarter of it. */
export function heapShare(share: number): number {
  limit ??= getHeapStatistics().heap_size_limit;
  return Math.floor(limit * share);
}
