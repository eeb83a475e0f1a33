// A long text in parts: nothing is lost, and none is too long to be read at once.
import { describe, expect, it } from 'vitest';
import { cutText } from './cut-text.ts';

describe('cutText', () => {
  it.each([
    ['nothing', ''],
    ['a short text', 'a\n\nb\n'],
    ['one long line', 'a'.repeat(300_000)],
    ['short lines', 'a\n'.repeat(100_000)],
    ['empty lines', '\n'.repeat(100_000)],
    ['paragraphs', `${'word '.repeat(40)}\n\n`.repeat(1_000)],
    ['a fence that never ends', `\`\`\`\n${'code\n\n'.repeat(40_000)}`],
  ])('keeps %s complete', (_, text) => {
    const parts = [...cutText(text)];
    expect(parts.join('')).toBe(text);
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(64_000);
  });

  it('cuts between paragraphs, and not inside of a fence', () => {
    const paragraph = `${'word '.repeat(100)}\n\n`;
    const fence = `\`\`\`\n${'code\n\n'.repeat(500)}\`\`\`\n\n`;
    for (const part of cutText((paragraph.repeat(20) + fence).repeat(10))) {
      expect(part.trimStart()).toMatch(/^(?:word|```)/);
      expect((part.match(/```/g) ?? []).length % 2).toBe(0);
    }
  });
});
