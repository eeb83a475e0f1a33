// Term analysis of the index, its languages and the embedding table, for services with their own ranking.
export { analyze, analyzeQuery } from '../search/analyze.ts';
export { createStaticEmbedder, measureCosine } from '../search/embed.ts';
export { functionWords } from '../search/function-words.ts';
export { foldWord, judgeForeign, otherScripts, stemOther } from '../search/language.ts';
export { inverseFrequency, scoreTerm } from '../search/score.ts';
