// Term analysis of the index, for services with their own ranking.
export { analyze, analyzeQuery } from '../search/analyze.ts';
export { inverseFrequency, scoreTerm } from '../search/score.ts';
