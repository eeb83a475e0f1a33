// A question about the code as the ranking takes it: its terms with what each is worth, and what it names outright.
import { analyze, analyzeQuery } from '../../../../graph/words.ts';
import { findMentions, type Mentions } from './mention.ts';
import { readBeginning } from './prose.ts';

export interface CodeQuestion {
  /** What each term of the whole is worth, by how often it is said. */
  terms: ReadonlyMap<string, number>;
  /** Those of the first line, which says what it is about. */
  titleTerms: ReadonlyMap<string, number>;
  /** Those of the first line and of how the rest begins. */
  headTerms: ReadonlyMap<string, number>;
  mentions: Mentions;
}

/** What is longer tells no more of where to look: logs, dumps. */
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

/** What a form asked for rather than whoever filled it in: its remarks, headings and boxes to tick. */
function dropForm(text: string): string {
  return text
    .replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replace(/^[ \t]*(?:#{1,6} .*|[-*] \[[ xX]\].*|\*\*[^*\n]{1,60}\*\*:?[ \t]*)$/gm, '');
}

/** Said twice, it counts more than once and less than twice. */
function weighTerms(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of analyze(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const weighted = analyzeQuery(text).map((term): [string, number] => [term, 1 + Math.log(counts.get(term) ?? 1)]);
  return new Map(weighted);
}
