// The servers under comparison: what to start, in which mode, and which requests they are asked to serve.
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Server
 * @property {string} id as the tables show it
 * @property {string} program what node runs
 * @property {string} [mode] the first argument, where it is not the transport's name
 * @property {string} [portFlag] the flag that takes the port, where it is not the second argument
 * @property {'legacy' | 'modern'} era
 */

/** @param {string} name */
const locateRival = (name) => fileURLToPath(new URL(`./rivals/${name}.mjs`, import.meta.url));

/** Lorekeeper as it ships, for what its own bundling decides. */
export const shipped = /** @type {const} */ ({
  program: fileURLToPath(new URL('../../bin/lore.cjs', import.meta.url)),
  mode: 'serve',
  portFlag: '--port',
});

/**
 * @param {string | undefined} ours path of the bundled Lorekeeper, undefined when it could not be built
 * @returns {Server[]}
 */
export function listStdioServers(ours) {
  return [
    { id: 'bare', program: locateRival('bare-stdio'), era: 'legacy' },
    ...(ours ? [{ id: 'lorekeeper', program: ours, era: /** @type {const} */ ('legacy') }] : []),
    { id: 'sdk-v2', program: locateRival('sdk-v2'), era: 'legacy' },
    { id: 'fastmcp', program: locateRival('fastmcp'), era: 'legacy' },
  ];
}

/**
 * @param {string | undefined} ours
 * @returns {Server[]} those that answer initialize with a session
 */
export function listSessionServers(ours) {
  return [
    { id: 'bare', program: locateRival('bare-http'), era: 'legacy' },
    ...(ours ? [{ id: 'lorekeeper', program: ours, era: /** @type {const} */ ('legacy') }] : []),
    { id: 'sdk-v2', program: locateRival('sdk-v2'), era: 'legacy' },
    { id: 'fastmcp', program: locateRival('fastmcp'), era: 'legacy' },
  ];
}

/**
 * @param {string | undefined} ours
 * @returns {Server[]} the above, and the stateless revision 2026-07-28 where a server speaks it
 */
export function listHttpServers(ours) {
  return [
    ...listSessionServers(ours),
    ...(ours ? [{ id: 'lorekeeper modern', program: ours, era: /** @type {const} */ ('modern') }] : []),
    { id: 'sdk-v2 modern', program: locateRival('sdk-v2'), mode: 'http-stateless', era: 'modern' },
  ];
}
