// Decides whether the deep stage ranks the results of a search, by the setting, the caller's wish, and what this process has loaded.
import { existsSync } from 'node:fs';
import { findAsset } from '../../../core/asset.ts';
import { hashHex } from '../../../core/crypto.ts';
import { LoreError } from '../../../core/error.ts';
import { findThread } from '../../../core/program-file.ts';
import type { RankMode } from '../../../core/rank-mode.ts';
import { keepRecent } from '../../../core/recent.ts';
import { type DeepPair, longestText } from './input.ts';
import { readModelFile } from './model-file.ts';
import { createDeepThreads, type DeepScores } from './threads.ts';

/** Whether the installation has the model, and why it cannot be used, if so. */
export function examineModel(path = findAsset('ranker.bin')): { ok: boolean; found: string } {
  if (!existsSync(path)) return { ok: true, found: 'the model is not installed; the fast stage ranks alone' };
  try {
    findThread('rank', 'rank results by the deep stage');
    readModelFile(path);
    return { ok: true, found: path };
  } catch (error) {
    if (!(error instanceof LoreError)) throw error;
    return { ok: false, found: error.message };
  }
}

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

const mostRecent = 32;

export function createDeepRanker({
  settings = () => ({ mode: 'fast', budgetMs: 200 }),
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
  /** The next page of a search must have the same order, however much time there is. */
  const recent = new Map<string, DeepScores>();
  async function score(asked: string, given: readonly DeepPair[], budgetMs: number) {
    const cut = (text: string | undefined) => text?.slice(0, longestText);
    const question = cut(asked) as string;
    const pairs = given.map(({ text, before }) => ({ text: cut(text) as string, before: cut(before) }));
    const key = hashHex(JSON.stringify([question, pairs]));
    const known = recent.get(key);
    if (known) return known;
    const found = await threads.score(question, pairs, budgetMs);
    if (found) keepRecent(recent, key, found, mostRecent);
    return found;
  }
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
      return (question, pairs) => score(question, pairs, budgetMs);
    },
    close: () => threads.close(),
  };
}
