// Selects the lines of an output that may describe a failure. It runs on every line, so that the rest runs on few.
import type { Line } from './lines.ts';

/** Words that indicate a failure. */
export const cues =
  /\b(?:cannot|can't|can not|could(?: not|n't)|unable to|fail(?:s|ed|ure|ing)?|fatal|errors?|denied|refused|not found|no such|unknown|undefined|unresolved|invalid|illegal|unexpected|timed? ?out|timeout|exceed(?:s|ed)|conflicts?|missing|rejected|(?:does|did|do|is|are|was|were|has|have) not|(?:does|did|do|is|are|was|were)n't|already|panick?(?:ed)?|aborted|aborting|killed|unauthorized|forbidden|must|expected|not (?:a|an|allowed|supported|installed|assignable|implemented)|exception|no (?:space|module|package|matching|space|required|default|active|tests?|route|pg_hba)|too (?:many|long|large|few)|out of|violat(?:es|ed|ion)|corrupt(?:ed)?|deadlock|unsupported|incompatible|mismatch|leak|overflow|unreachable|reset by|broken|insufficient|deprecated|unrecognized|ambiguous|never used|overlap|expired|diverge|diverged|unmerged|unrelated|detached|dubious|asleep|lost|bad)\b/i;
/** Words that may indicate one. */
export const hints =
  /\b(?:not|no|never|un[a-z]{3,12}(?:ed|able|own|ent|afe)|abort(?:ing|s)?|refus(?:es|ing)|blocked|only|requires?d?|need(?:s|ed)?|without|wrong|incorrect|malformed|duplicated?|circular|cycle|overwritten|locked|crash(?:ed|es)?|dumped|quota|throttl(?:ed|ing)|limit|outdated|obsolete|untrusted|self[- ]signed|unhealthy|evicted|exhausted|undeclared|redefin(?:ed|ition)|multiple|isn't|won't|wasn't|stopped|terminated|nothing|unless|warning|problems?)\b/i;
const named =
  /[×✖✘✗✕❌⨯]|(?:BackOff|Killed|Evicted)\b|\b(?:Failed|Err)[A-Z]\w|status=\d|\bERR\b|\[(?:emerg|alert|crit)\]|\b(?:SEVERE|CRITICAL)\b|^[EF]: |[A-Z]\w{0,80}(?:Error|Exception)|\b[A-Z]{1,6}\d{3,5}\b|SQL|\bcode[ :=]|[a-z]\.[A-Z]\w{1,80}(?::|$)|\bE[A-Z]{4,}/;
const ofTrace =
  /^\s*(?:at |File "|\d{1,3}: |Traceback)|\| +(?:at |File "|\d{1,3}: |Traceback)|\(0x|\.go:\d|\(\.\.\.\)|\bat \S{1,200}\(|[Cc]aused? by/;

/** Tests the raw line; after a panic, the next line gives the reason. */
export function isCandidate(line: string, at: number, lines: readonly string[]): boolean {
  const before = lines[at - 1]?.trimEnd() ?? '';
  return (
    ofTrace.test(line) ||
    cues.test(line) ||
    hints.test(line) ||
    named.test(line) ||
    before.endsWith(':') ||
    before.includes('panicked at')
  );
}

/** Tests the line without its prefix. */
export function isSignificant({ text, level, cause }: Line): boolean {
  return cause || level === 'error' || cues.test(text) || hints.test(text) || named.test(text);
}
