// HTTP requests are made in core/outgoing alone, where addresses, redirects, sizes and times are limited.
import { expect, it } from 'vitest';
import { importsOf, readSources } from '../support/source.ts';

it('only core/outgoing makes HTTP requests', () => {
  // The browser limits the dashboard to its own origin.
  const sources = readSources(/^src\/(?!core\/outgoing\/|web\/).*(?<!\.test)\.ts$/);
  const makes = /(?<![.#\w])fetch\(|\b(?:https?|http2)\.(?:request|get)\(|\bimport\('node:https?'\)/;
  const wrong = sources.filter(
    (source) =>
      makes.test(source.text) ||
      importsOf(source).some((specifier) => /^(?:node:)?(?:https|http2|undici)$/.test(specifier)) ||
      /import \{[^}]*\b(?:request|get|Agent)\b[^}]*\} from 'node:http'/.test(source.text),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});
