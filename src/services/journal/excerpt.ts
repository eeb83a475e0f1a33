// The passage of a text that answers a query best, on one line, to be shown beside a hit.
import { findPassage } from '../../core/text/passage.ts';

export function excerpt(text: string, query: string, length = 300): string {
  const begin = findPassage(text, query, length);
  const rest = text.slice(begin, begin + length).replace(/[\ud800-\udbff]$/, '');
  const isWhole = begin + length >= text.length;
  const shown = isWhole ? rest : rest.replace(/\s\S*$/, '');
  return `${begin > 0 ? '… ' : ''}${shown.replace(/\s+/g, ' ').trim()}${isWhole ? '' : ' …'}`;
}
