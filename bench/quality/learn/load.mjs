// The modules under test: what `learn` keeps, how it is classified, and what takes another's place.
import { loadBundled } from '../../bundle.mjs';

const names = ['extract', 'classify', 'contradict'];

export const loadLearning = () => loadBundled(...names.map((name) => `src/services/memory/text/${name}.ts`));
