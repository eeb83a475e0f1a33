// The beginning of a report in prose: without code, output and URLs, which are mostly unrelated to the problem.

/** Characters; the topic is stated by then. */
const beginning = 600;

const address = /https?:\/\/[^\s)>\]]+/g;
const fence = /^\s*(?:```|~~~)/;
const traceStart = /Traceback \(most recent call last\)/;
const traceEnd = /^[\s>]*[\w.]*(?:Error|Exception|Warning|Exit|Interrupt)\b/;
/** Of trackers that have no fences: a prompt, a line set in, a statement. */
const code =
  /^\s*(?:>>>|\.\.\. |In \[\d+\]|Out\[)|^(?: {4,}|\t)\s*[^\s*\d-]|^\s*(?:from [\w.]+ import|import \w|class \w+.*:$|def \w+\(|@\w|\w+(?:\.\w+)* = \S)/;

export function readBeginning(text: string): string {
  const kept: string[] = [];
  let length = 0;
  let inFence = false;
  let inTrace = false;
  for (const line of text.replace(address, ' ').split('\n')) {
    if (fence.test(line)) {
      inFence = !inFence;
      inTrace = false;
    } else if (inTrace) inTrace = !traceEnd.test(line);
    else if (!inFence && traceStart.test(line)) inTrace = true;
    else if (!inFence && !code.test(line)) {
      kept.push(line);
      length += line.length + 1;
      if (length >= beginning) break;
    }
  }
  return kept.join('\n').slice(0, beginning);
}
