// Which files, symbols and lines a memory cites.
import { describe, expect, it } from 'vitest';
import { findCitations, maxCitations } from './citation.ts';

/** `src/a.ts#open:42-50?`; a question mark where the tie is loose. */
function tell(text: string): string[] {
  return findCitations(text).map(
    ({ file, symbol, line, endLine, sure }) =>
      `${file}${symbol ? `#${symbol}` : ''}${line ? `:${line}` : ''}${endLine ? `-${endLine}` : ''}${sure ? '' : '?'}`,
  );
}

describe('citations', () => {
  it.each<[text: string, ...found: string[]]>([
    ['The retry is in src/store/open.ts:42.', 'src/store/open.ts:42'],
    ['See src/store/open.ts:42-50 for the loop', 'src/store/open.ts:42-50'],
    ['See src/store/open.ts:42:7', 'src/store/open.ts:42'],
    ['See src/store/open.ts#L42-L50.', 'src/store/open.ts:42-50'],
    ['src/a.ts(12,5): error TS2322', 'src/a.ts:12'],
    ['Line 42 of src/store/open.ts is wrong', 'src/store/open.ts:42'],
    ['`src/store/open.ts`, line 42', 'src/store/open.ts:42'],
    ['src/store/open.ts (lines 10-12)', 'src/store/open.ts:10-12'],
    ['src/a.ts:10 and src/a.ts:42 disagree', 'src/a.ts:10', 'src/a.ts:42'],
    ['`openStore()` in src/store/open.ts retries', 'src/store/open.ts#openStore'],
    ['openStore (src/store/open.ts:42) retries', 'src/store/open.ts#openStore', 'src/store/open.ts:42'],
    ['`openStore` is defined in `src/store/open.ts`', 'src/store/open.ts#openStore'],
    ['src/store/open.ts exports openStore', 'src/store/open.ts#openStore'],
    ['In src/store/open.ts, the function `openStore` retries', 'src/store/open.ts#openStore'],
    ['`Registry.call` of src/core/registry/registry.ts is the one door', 'src/core/registry/registry.ts#Registry.call'],
    ['src/app.ts wires everything and later calls `createGraph`', 'src/app.ts#createGraph?'],
    ['Edit src/app.ts. Then `createGraph` must be called.', 'src/app.ts#createGraph?'],
    ['`readAll` moved from src/a.ts to src/b.ts', 'src/a.ts', 'src/b.ts'],
    ['src/app.ts puts it together', 'src/app.ts'],
    ['The port is set in package.json', 'package.json'],
    ['Nothing is cited here, not even `openStore`'],
    ['We deploy on Tuesdays'],
    [''],
  ])('%s', (text, ...found) => {
    expect(tell(text)).toEqual(found);
  });

  it('include the statement about the file', () => {
    const [citation] = findCitations(
      'The gateway listens on 8443, with "keep-alive" and v15.2, in src/gateway.ts:12 since 3 days.',
    );
    expect(citation).toEqual({ file: 'src/gateway.ts', line: 12, sure: true, said: ['8443', 'keep-alive', 'v15.2'] });
  });

  it('of another sentence do not apply', () => {
    expect(findCitations('See src/gateway.ts. The port is 8443.')).toEqual([{ file: 'src/gateway.ts', sure: true }]);
  });

  it('are bounded, whatever the text', () => {
    const many = Array.from({ length: 500 }, (_, index) => `\`open${index}()\` in src/f${index}.ts:${index}`).join(
      '. ',
    );
    expect(findCitations(many)).toHaveLength(maxCitations);
    for (const text of ['src/a.ts '.repeat(20_000), '`a` '.repeat(30_000), 'src/a.ts:1`b()`'.repeat(9_000)]) {
      expect(findCitations(text).length).toBeLessThanOrEqual(maxCitations);
    }
  });
});
