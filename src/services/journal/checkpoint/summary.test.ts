// The name and the summary that a checkpoint gets, also from texts that were not written to be summed up.
import { describe, expect, it } from 'vitest';
import { nameText, summarize } from './summary.ts';

describe('summarize', () => {
  it('takes the first paragraph and the next steps', () => {
    const content = '# Fix the lexer\n\nIt drops\nthe last token.\n\nMore.\n\n## Next steps ##\n\nAdd a test.\n';
    expect(summarize(content)).toBe('It drops the last token.\nNext steps: Add a test.');
    expect(nameText(content)).toBe('Fix the lexer');
  });

  it('prefers a summary section, and ignores comments in code', () => {
    expect(summarize('Notes\n\n## Summary\nDone.\n\n    # Summary\n')).toBe('Done.');
  });

  // Quadratic, each of these would take minutes.
  it.each([
    ['short lines', 'a\n'],
    ['one line', 'a'],
    ['short paragraphs', 'a\n\n'],
    ['headings', '# a\n'],
    ['spaces in a heading', `# a${' '.repeat(1_000_000)}b\n`],
    ['number signs in a heading', `# a${'#'.repeat(1_000_000)}b\n`],
  ])('reads a megabyte of %s', (_, unit) => {
    const content = unit.repeat(Math.ceil(1_000_000 / unit.length));
    expect(summarize(content).length).toBeLessThanOrEqual(401);
    expect(nameText(content).length).toBeLessThanOrEqual(80);
  });
});
