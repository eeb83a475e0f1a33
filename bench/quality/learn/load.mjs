// Loads the modules under test on any Node: bundled in memory, because Node 20 does not read TypeScript.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('../../../src/services/memory/text/', import.meta.url));

/** What `learn` keeps, how it is classified, and what takes another's place. */
export async function loadLearning() {
  const { outputFiles } = await build({
    stdin: {
      contents: ['extract', 'classify', 'contradict'].map((name) => `export * from './${name}.ts';`).join('\n'),
      resolveDir: folder,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? '').toString('base64')}`);
}
