// Decides whether the deep stage ranks the results of a search, by the setting, the caller's wish, and what this process has loaded.
import { existsSync } from 'node:fs';
import { findAsset } from '../../../core/asset.ts';
import type { RankMode } from '../../../core/rank-mode.ts';
import type { DeepPair } from './input.ts';
import { createDeepThreads, type DeepScores } from './threads.ts';

/** The deep stage for one search. The texts are sorted, the best first. */
export type DeepStage = (question: string, pairs: readonly DeepPair[]) => Promise<DeepScores | undefined>;

export interface RankSettings {
  mode: RankMode;
  /** Time for the deep stage, once it is loaded. */
  budgetMs: number;
}

export interface DeepRanker {
  /** Undefined if the fast order is final. */
  open(mode?: RankMode): DeepStage | undefined;
  close(): Promise<void>;
}

export function createDeepRanker({
  settings = () => ({ mode: 'auto', budgetMs: 220 }),
  stays,
  path = findAsset('ranker.bin'),
}: {
  settings?: (() => RankSettings) | undefined;
  /** Whether the process continues after its first results. */
  stays: boolean;
  path?: string;
}): DeepRanker {
  const threads = createDeepThreads(path);
  const isInstalled = existsSync(path);
  return {
    open(asked) {
      const { mode, budgetMs } = settings();
      const wanted = asked ?? mode;
      if (wanted === 'fast' || !isInstalled) return undefined;
      if (wanted === 'auto' && !threads.isReady) {
        // For the next question.
        if (stays) threads.start();
        return undefined;
      }
      return (question, pairs) => threads.score(question, pairs, budgetMs);
    },
    close: () => threads.close(),
  };
}
