// The module under test, with its types.
import { loadBundled } from '../../bundle.mjs';

/** @typedef {{ text: string, found: { rule: string, count: number }[] }} Redacted */
/** @typedef {{ redact(text: string): Redacted, findSecrets(text: string): import('./cases.mjs').Place[] }} RedactModule */

/** @returns {Promise<RedactModule>} */
export const loadRedact = () => loadBundled('src/core/redact.ts');
