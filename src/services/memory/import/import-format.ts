// Detects the format of a source from its beginning.
import { isObject } from '../../../core/schema.ts';

export const formats = ['lore', 'mcp-memory', 'markdown', 'claude-code', 'kuzu'] as const;
export type ImportFormat = (typeof formats)[number];

/** Lines that are checked: the first ones of a transcript may be inconclusive. */
const reach = 50;

export function detectFormat(head: string, name: string): ImportFormat | undefined {
  const text = head.replace(/^\uFEFF/, '').trimStart();
  if (text === '' || text.includes('\0')) return undefined;
  if (text.startsWith('{') || text.startsWith('[')) return detectLines(text) ?? detectWhole(text);
  return /\.(?:json|jsonl|ndjson)$/i.test(name) ? undefined : 'markdown';
}

function detectLines(text: string): ImportFormat | undefined {
  for (const line of text.split('\n', reach)) {
    const format = detectRow(parse(line));
    if (format !== undefined) return format;
  }
  return undefined;
}

function detectRow(row: unknown): ImportFormat | undefined {
  if (!isObject(row)) return undefined;
  const { type } = row;
  if (String(row.format).startsWith('lorekeeper-')) return 'lore';
  if (['node', 'edge', 'change'].some((table) => Array.isArray(row[table]))) return 'lore';
  if (type === 'entity' && 'name' in row) return 'mcp-memory';
  if (type === 'relation' && 'from' in row && 'to' in row) return 'mcp-memory';
  if (typeof type === 'string' && ('sessionId' in row || isObject(row.message))) return 'claude-code';
  if (Array.isArray(row.entities) && Array.isArray(row.relations)) return 'mcp-memory';
  if (Array.isArray(row.memories) || typeof row.content === 'string') return 'kuzu';
  return undefined;
}

/** A document of several lines, or with a very long first line. */
function detectWhole(text: string): ImportFormat | undefined {
  if (/"type"\s*:\s*"(?:user|assistant|system|summary)"/.test(text) && /"sessionId"/.test(text)) return 'claude-code';
  if (/^\{\s*"(?:entities|relations)"\s*:\s*\[/.test(text)) return 'mcp-memory';
  if (/"memories"\s*:\s*\[/.test(text) || /^\[\s*\{[^{}]*"(?:content|memory_type)"\s*:/.test(text)) return 'kuzu';
  return undefined;
}

function parse(line: string): unknown {
  try {
    return line.trim() === '' ? undefined : JSON.parse(line);
  } catch {
    return undefined;
  }
}
