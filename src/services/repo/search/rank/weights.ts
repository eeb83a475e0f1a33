// Fitted: `node tools/rank/code/main.mjs --write` writes this file (tools/rank/code/README.md).
import type { Feature } from './features.ts';

export const weights: Readonly<Record<Feature, number>> = {
  words: 0.45,
  titleWords: 0.3,
  part: 0.29,
  path: 0.2,
  titleName: 0.09,
  mentioned: 0.29,
  frame: 0.12,
  module: 0.15,
  defines: 0.28,
  aside: -0.29,
  past: 0.17,
  titlePast: 0.16,
};
