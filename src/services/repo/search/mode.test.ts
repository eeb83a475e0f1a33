// How a query is meant, by its looks.
import { expect, it } from 'vitest';
import { chooseMode } from './mode.ts';

it.each([
  ['"exactly this"', 'literal', 'exactly this'],
  ['`a b`', 'literal', 'a b'],
  ['parseHeader', 'name', 'parseHeader'],
  ['Graph.put', 'name', 'Graph.put'],
  ['std::string', 'name', 'std::string'],
  ['authentication', 'name', 'authentication'],
  ['if (x === 1)', 'literal', 'if (x === 1)'],
  ['src/core/error.ts', 'literal', 'src/core/error.ts'],
  ['--max-columns', 'literal', '--max-columns'],
  ['TODO|FIXME', 'regex', 'TODO|FIXME'],
  ['create\\w+Tool\\(', 'regex', 'create\\w+Tool\\('],
  ['where is the retry delay computed', 'semantic', 'where is the retry delay computed'],
  ['why does parse_header() fail on empty values?', 'semantic', 'why does parse_header() fail on empty values?'],
  ['Title of an issue\n\nIts body.', 'semantic', 'Title of an issue\n\nIts body.'],
  ['rate limit', 'semantic', 'rate limit'],
])('detects %j as %s', (query, mode, asked) => {
  expect(chooseMode(query)).toEqual({ mode, query: asked });
});
