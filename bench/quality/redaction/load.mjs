// The module under test, with its types.
import { loadBundled } from '../../bundle.mjs';

/** @typedef {{ text: string, found: { rule: string, count: number }[] }} Redacted */
/** @typedef {import('./hostile.mjs').Rule} Rule */
/**
 * @typedef {{ redact(text: string): Redacted, findSecrets(text: string): import('./cases.mjs').Place[],
 *   listSecretRules(): readonly Rule[] }} RedactModule
 */

/** @returns {Promise<RedactModule>} */
export const loadRedact = () => loadBundled('src/core/secret/redact.ts', 'src/core/secret/rules.ts');
