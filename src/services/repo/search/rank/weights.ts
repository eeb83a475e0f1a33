// Fitted: `node bench/quality/localise/main.mjs --fit` prints them.
import type { Feature } from './features.ts';

export const weights: Readonly<Record<Feature, number>> = {
  words: 0.36,
  titleWords: 0.41,
  part: 0.33,
  path: 0.19,
  titleName: 0.06,
  mentioned: 0.32,
  frame: 0.12,
  module: 0.18,
  defines: 0.23,
  aside: -0.29,
  past: 0.14,
  titlePast: 0.16,
};
