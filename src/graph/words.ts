// What the index makes of words, for services that rank by more than it knows of.
export { analyze, analyzeQuery } from '../search/analyze.ts';
export { inverseFrequency, scoreTerm } from '../search/score.ts';
