// Term analysis of the index and the embedding table, for services with their own ranking.
export { analyze, analyzeQuery } from '../search/analyze.ts';
export { createStaticEmbedder, measureCosine } from '../search/embed.ts';
export { inverseFrequency, scoreTerm } from '../search/score.ts';
