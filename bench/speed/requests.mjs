// The messages the bench sends, and their HTTP form as one prebuilt buffer. Ids have a fixed width, so the load
// generator can count them up in place instead of building a new request.

export const idStart = 100_000_000;
const legacyRevision = '2025-06-18';
const modernRevision = '2026-07-28';

const clientInfo = { name: 'lorekeeper-bench', version: '1.0.0' };

/** @typedef {{ method: string, params: Record<string, unknown> }} Operation */

/** @type {Operation} */
export const initialize = {
  method: 'initialize',
  params: { protocolVersion: legacyRevision, capabilities: {}, clientInfo },
};
/** @type {Operation} */
export const callEcho = { method: 'tools/call', params: { name: 'echo', arguments: { text: 'hello', times: 2 } } };
/** @type {Operation} */
export const callBig = { method: 'tools/call', params: { name: 'big', arguments: {} } };
/** @type {Operation} */
export const listTools = { method: 'tools/list', params: {} };

/** @type {Operation} */
export const initialized = { method: 'notifications/initialized', params: {} };

/** @param {Operation} operation @param {number} [id] none makes it a notification */
export function encodeMessage({ method, params }, id) {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** @param {Operation} operation @returns {Operation} the same request, self-contained as revision 2026-07-28 wants it */
function addEnvelope({ method, params }) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': modernRevision,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return { method, params: { ...params, _meta } };
}

/**
 * @param {Operation} operation
 * @param {{ port: number, era: 'legacy' | 'modern', session?: string }} target
 * @returns {string} a whole HTTP/1.1 request
 */
export function encodeHttpRequest(operation, { port, era, session }) {
  const body = encodeMessage(
    era === 'modern' ? addEnvelope(operation) : operation,
    operation === initialized ? undefined : idStart,
  );
  const headers = [
    'POST /mcp HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Accept: application/json, text/event-stream',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  if (era === 'modern') {
    headers.push(`MCP-Protocol-Version: ${modernRevision}`, `Mcp-Method: ${operation.method}`);
    if (typeof operation.params.name === 'string') headers.push(`Mcp-Name: ${operation.params.name}`);
  } else if (session) headers.push(`MCP-Protocol-Version: ${legacyRevision}`, `Mcp-Session-Id: ${session}`);
  return `${headers.join('\r\n')}\r\n\r\n${body}`;
}
