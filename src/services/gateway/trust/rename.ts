// Recognises a tool that came back under another name: its schema or most words of its description are those of one that is gone.
import { type UpstreamTool, writeCanonical } from './definition.ts';

/** Share of common words from which two descriptions are the same text. */
const least = { alone: 0.7, withSchema: 0.3 };

export function findRename(tool: UpstreamTool, gone: readonly UpstreamTool[]): string | undefined {
  const words = wordsOf(tool);
  const schema = writeCanonical(tool.inputSchema);
  const scored = gone.map((old) => {
    const share = overlap(words, wordsOf(old));
    const isSameSchema = schema === writeCanonical(old.inputSchema);
    return { name: old.name, share, isRename: share >= (isSameSchema ? least.withSchema : least.alone) };
  });
  return scored.filter(({ isRename }) => isRename).sort((a, b) => b.share - a.share)[0]?.name;
}

function wordsOf({ description = '' }: UpstreamTool): Set<string> {
  return new Set(description.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** Common words by all words. */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  const all = a.size + b.size - common;
  return all === 0 ? 0 : common / all;
}
