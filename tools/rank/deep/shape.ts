// The input that the deep ranker is trained for; the model file repeats it.
import type { InputShape } from '../../../src/search/rank/deep/input.ts';

export const shape: InputShape = {
  tokens: { unknown: 100, start: 101, separator: 102 },
  limits: { question: 32, text: 64, before: 24 },
};
