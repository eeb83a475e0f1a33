// Detects program output (logs, traces, diffs, test reports, listings).
import { privateMark } from '../../../core/text/inserted.ts';

/** Logs, traces, reports of compilers and tests. */
const logs: readonly RegExp[] = [
  /^\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  /^\s*\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?\s/,
  /^\s*\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL|CRITICAL)\]?[\s:|]/,
  /^\s*at (?:async |new )?[\w$.<>[\] ]+ ?\(?(?:node:|file:|[\w./@\\-]+[:(]\d)/,
  /^\s*File "[^"]+", line \d+/,
  /^\s*Traceback \(most recent call last\)/,
  /^(?:Uncaught )?[A-Z]\w*(?:Error|Exception|Warning)(?: \[\w+\])?: /,
  /^(?:npm|yarn|pnpm|warning|error|fatal|panic|thread '|make|bash|sh|zsh|curl|git)(?: (?:ERR!|WARN|warn|error|notice))?(?:\[\w+\])?: \S/,
  /^npm (?:ERR!|WARN|notice|error|warn) /,
  /^[\w./\\@-]+[(:]\d+(?:[,:]\d+)?\)?:? ?(?:error|warning|note|fatal)?\b.*[;:({=]/,
  /^[\w./\\@-]+\.\w{1,5}[(:]\d+[,:)\d]*[: ]/,
  /^\s*(?:✓|✔|✗|✘|✖|⨯|×|●|○|◯|⎿|❯|PASS|FAIL|ok \d|not ok \d|# (?:tests|pass|fail) )\s?/,
  /^\s*(?:Tests?|Test Files|Test Suites|Suites|Snapshots|Duration|Start at|Time|Ran all)\b:?\s+.*\d/,
  /^(?:Found|Finished|Compiled|Collected|Checked|Ran) (?:in )?\d+ \w+/,
  /^\s*\$ \S/,
  /^Error: \S/,
  /^[A-Z]:\\.{1,200}\(\d+,\d+\): /,
  /^[^.\n]*\S {3,}\S/,
  /^\[(?:[a-z][\w:.-]*|\d[^\]]*)\]\s/,
  /^(?:[\w./:'"-]+ ){1,3}not found$/i,
  /^\[Request interrupted/,
  /^(?:\/[\w.-]+){3,} /,
  /^[-dlrwxs]{10}[.+@]?\s/,
  /^\s*(?:Active|Loaded|Main PID|Process|Memory|CGroup): /,
];

/** Diffs, data and mark-up: not statements, but not temporary either. */
const shapes: readonly RegExp[] = [
  /^\s*(?:diff --git|index [0-9a-f]{7}|@@ -\d|\+\+\+ |--- [ab]\/)/,
  /^\s*(?:[+-]\s{2,}\S|[+-](?:import|export|const|let|def|return)\b)/,
  /^(?:HTTP\/\d|[<>] [A-Z][\w-]+: )/,
  /^\s*[{[]\s*["'{[\]]/,
  /^\s*<[\w!?/]/,
  /[{[]\s*"[^"\n]{1,80}"\s*[:,]/,
  /^\s*\W{0,3}(?:tool|function)[ _](?:result|response|output|call|use)\b\W{0,3}[:=]/i,
];

/** Escaped line ends and quotation marks, as in a string: two of them are not a coincidence. */
const escaped = /\\(?:[nrt]|").*\\(?:[nrt]|")/s;
/** Our own ids: a text with one quotes our results. */
const ownId = /(?<![\w-])[a-z]{1,8}_(?:[0-9a-f]{24}|[0-9a-z]{8,9}[0-9a-f]{16})(?![\w-])|<\/?lore-data-/;

/** Why a text is never learned, whatever selected it. */
export function findRefusalReason(text: string): 'private' | 'quotation' | 'output' | 'question' | undefined {
  if (text.includes(privateMark)) return 'private';
  if (ownId.test(text)) return 'quotation';
  if (looksLikeOutput(text)) return 'output';
  return /[?？؟]["')\]*_」』]*$/.test(text) ? 'question' : undefined;
}

const codeLine =
  /(?:[;{}]|=>)\s*$|^[\w.$]+\([^)]*\)$|^\s*(?:import|export|const|let|var|def|func|fn|class|return|if|for|while|public|private|#include|SELECT|INSERT|UPDATE|CREATE TABLE)\b.*[(){};=]/;

/** Characters of a line that are checked: output is recognised by its beginning. */
const reach = 400;

export function looksLikeLog(text: string): boolean {
  const line = text.slice(0, reach);
  return logs.some((shape) => shape.test(line));
}

export function looksLikeOutput(text: string): boolean {
  const line = text.slice(0, reach);
  if (looksLikeLog(line) || shapes.some((shape) => shape.test(line))) return true;
  if (codeLine.test(line) && !/[.!?]$/.test(line.trimEnd())) return true;
  if (escaped.test(line.replace(/`[^`]*`/g, ''))) return true;
  return mostlySigns(line);
}

/** Hardly any letters or words: dumps, base64, separators. */
function mostlySigns(line: string): boolean {
  const dense = line.replace(/\s+/g, '');
  if (dense.length < 12) return false;
  let letters = 0;
  for (const sign of dense) if (/\p{L}/u.test(sign)) letters++;
  if (letters / dense.length < 0.45) return true;
  return dense.length > 150 && !/\s/.test(line.trim());
}
