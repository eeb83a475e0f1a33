// Reads what the server sent back into the words of the model, and refuses whatever is not a JSON-RPC response.
import { isObject, writeBatch } from './model.ts';

/** A line of output or the body of an answer. */
export function describeText(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `not JSON: ${text.slice(0, 200)}`;
  }
  if (!Array.isArray(value)) return describeAnswer(value);
  return value.length === 0 ? 'an empty batch' : writeBatch(value.map(describeAnswer));
}

function describeAnswer(value: unknown): string {
  if (!isObject(value) || value.jsonrpc !== '2.0') return `not JSON-RPC: ${shorten(value)}`;
  const { id, result, error, ...rest } = value;
  if (Object.keys(rest).length > 1) return `not a response: ${shorten(value)}`;
  if (id !== null && typeof id !== 'string' && !Number.isSafeInteger(id)) return `no id: ${shorten(value)}`;
  if ((result === undefined) === (error === undefined)) return `neither or both: ${shorten(value)}`;
  if (result !== undefined)
    return isObject(result) && id !== null ? told(id, 'result') : `bad result: ${shorten(value)}`;
  if (!isObject(error) || !Number.isInteger(error.code) || typeof error.message !== 'string') {
    return `bad error: ${shorten(value)}`;
  }
  return told(id, String(error.code));
}

/** Whether a second request under an id still in use is served or refused is a matter of moments: both are right. */
function told(id: unknown, outcome: string): string {
  const free = typeof id === 'string' && id.startsWith('dup-') && (outcome === 'result' || outcome === '-32600');
  return `${JSON.stringify(id)} ${free ? 'answered' : outcome}`;
}

function shorten(value: unknown): string {
  return JSON.stringify(value).slice(0, 200);
}
