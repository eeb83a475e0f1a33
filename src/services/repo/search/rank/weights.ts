// Fitted: `node bench/quality/localise/main.mjs --fit` prints them.
import type { Feature } from './features.ts';

export const weights: Readonly<Record<Feature, number>> = {
  words: 0.36,
  titleWords: 0.67,
  bestPart: 0.06,
  parts: 0.26,
  path: 0.27,
  titleName: 0.1,
  mentioned: 0.32,
  module: 0.18,
  defines: 0.34,
  aside: -0.34,
};
