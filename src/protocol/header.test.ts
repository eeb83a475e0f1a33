// Arguments that are repeated in headers.
import { expect, it } from 'vitest';
import { hasUsableHeaders } from './header.ts';

const schemaOf = (...properties: [type: string, header: string][]) => ({
  properties: Object.fromEntries(properties.map(([type, header], at) => [`p${at}`, { type, 'x-mcp-header': header }])),
});

it('annotations of headers are usable if they are tokens, unique, and of types with one spelling', () => {
  expect(hasUsableHeaders(schemaOf(['string', 'Region'], ['integer', 'Priority']))).toBe(true);
  expect(hasUsableHeaders({ type: 'object' })).toBe(true);
  const wrong = [
    schemaOf(['string', '']),
    schemaOf(['string', 'a b']),
    schemaOf(['string', 'naïve']),
    schemaOf(['number', 'Ratio']),
    schemaOf(['object', 'Whole']),
    schemaOf(['string', 'Region'], ['string', 'region']),
  ];
  expect(wrong.map(hasUsableHeaders)).toEqual(wrong.map(() => false));
});
