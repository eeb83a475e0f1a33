// The repository bench: how fast and in how much memory a tree is indexed, what recall takes meanwhile, how soon a changed
// file is in the index; and which definitions are found.
// node bench/repo/main.mjs index FOLDER | hostile [FILES] | symbols [--list]
import { runBundled } from '../bundle.mjs';

const [what, ...rest] = process.argv.slice(2);
const entries = { index: 'bench/repo/index.ts', hostile: 'bench/repo/hostile.ts', symbols: 'bench/repo/symbols.ts' };
if (!Object.hasOwn(entries, what ?? '')) {
  console.error('Cannot run: say index FOLDER, hostile [FILES] or symbols [--list]');
  process.exit(2);
}
await runBundled(entries[/** @type {keyof typeof entries} */ (what)], { args: rest });
