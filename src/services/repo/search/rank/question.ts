// A query about the code for the ranking: its weighted terms, and what it names explicitly.
import { analyze, analyzeQuery } from '../../../../graph/words.ts';
import { findMentions, type Mentions } from './mention.ts';
import { readBeginning } from './prose.ts';

export interface CodeQuestion {
  /** Weight of each term of the whole text, by frequency. */
  terms: ReadonlyMap<string, number>;
  /** Terms of the first line, which states the topic. */
  titleTerms: ReadonlyMap<string, number>;
  /** Terms of the first line and of the beginning of the rest. */
  headTerms: ReadonlyMap<string, number>;
  mentions: Mentions;
}

/** Longer texts add nothing: logs, dumps. */
const maxText = 20_000;

export function readQuestion(text: string): CodeQuestion {
  const whole = text.slice(0, maxText).replaceAll('\r\n', '\n').trim();
  const end = whole.indexOf('\n');
  const title = (end < 0 ? whole : whole.slice(0, end)).replace(/^#+ /, '');
  const body = end < 0 ? '' : dropForm(whole.slice(end + 1));
  return {
    terms: weighTerms(`${title}\n${body}`),
    titleTerms: weighTerms(title),
    headTerms: weighTerms(`${title}\n${readBeginning(body)}`),
    mentions: findMentions(title, body),
  };
}

/** Removes the text of an issue template: remarks, headings and checkboxes. */
function dropForm(text: string): string {
  return text
    .replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replace(/^[ \t]*(?:#{1,6} .*|[-*] \[[ xX]\].*|\*\*[^*\n]{1,60}\*\*:?[ \t]*)$/gm, '');
}

/** A repeated term counts more than once and less than twice. */
function weighTerms(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of analyze(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const weighted = analyzeQuery(text).map((term): [string, number] => [term, 1 + Math.log(counts.get(term) ?? 1)]);
  return new Map(weighted);
}
