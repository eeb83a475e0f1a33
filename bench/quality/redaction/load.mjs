// Loads src/core/redact.ts on any Node: bundled in memory, because Node 20 does not read TypeScript.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** @typedef {{ text: string, found: { rule: string, count: number }[] }} Redacted */
/** @typedef {{ redact(text: string): Redacted, findSecrets(text: string): import('./cases.mjs').Place[] }} RedactModule */

/** @returns {Promise<RedactModule>} */
export async function loadRedact() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../../src/core/redact.ts', import.meta.url))],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? '').toString('base64')}`);
}
