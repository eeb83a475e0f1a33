// The modules under test: what `learn` keeps, how it is classified, and which older statements are suggested.
import { loadBundled } from '../../bundle.mjs';

const names = ['extract', 'classify', 'relation'];

export const loadLearning = () => loadBundled(...names.map((name) => `src/services/memory/text/${name}.ts`));
