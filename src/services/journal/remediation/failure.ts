// Finds the lines of an output that say what failed, most significant first. Most of a build's output does not, and some lines
// only say that something failed: a step, a script, a process with a status.
import { type Code, findCodes } from './codes.ts';
import { cues, hints, isCandidate, isSignificant } from './cues.ts';
import { isTrace, readFrame } from './frame.ts';
import { type Line, readLine, takeEnds } from './lines.ts';
import { type ErrorMessage, readMessage } from './message.ts';

export interface Failure extends ErrorMessage {
  line: string;
  codes: Code[];
  strength: number;
}

/** Lines that say that something failed, but not what. */
const wrappers: readonly RegExp[] = [
  /^(?:Process|Command|Script|Task|Step|Job|Lifecycle script|The command|Execution|Build|Compilation|Exit|Exited)\b.{0,200}(?:exit(?:ed)?|code|status|returned|failed|error)/i,
  /^failed to push some refs|^Could not read from remote repository|^executor failed running|did not complete successfully: exit code|did not run successfully|returned (?:a non-zero code|\d+ exit status)|^Failed building wheel/i,
  /^(?:Found \d+ errors?|\d+ errors? generated|✖ \d+ problems?|make(?:\[\d+\])?: \*\*\*|ninja: build stopped|npm test failed|Test Suites?:|Tests?:|error Command failed)/i,
];
const maxFailures = 5;
const maxFrames = 16;
const enough = 0.6;
/** Most candidate lines, from the beginning and the end. */
const maxSifted = 2_000;
const maxTelling = 120;
/** Most lines that are analysed. */
const maxRead = 12;

export function findFailures(lines: readonly string[]): { failures: Failure[]; frames: string[] } {
  const { candidates, frames } = sift(lines);
  const found = gatherCodes(takeEnds(candidates, maxTelling));
  const failures = new Map<string, Failure>();
  for (const { text, codes, strength } of found.sort((a, b) => b.strength - a.strength).slice(0, maxRead)) {
    const failure = {
      line: text,
      codes,
      strength,
      ...readMessage(text.replace(leadingClass, '')),
    };
    const key = keyOf(failure);
    if (!failures.has(key)) failures.set(key, failure);
  }
  return { failures: [...failures.values()].slice(0, maxFailures), frames };
}

/** Distinct candidate lines, and the frames. */
function sift(lines: readonly string[]): { candidates: Line[]; frames: string[] } {
  const candidates = new Map<string, Line>();
  const frames = new Set<string>();
  const read = takeEnds(lines.filter(isCandidate), maxSifted).map(readLine).flatMap(readPanic).map(readOn);
  for (const line of read) {
    const { text } = line;
    if (text === '') continue;
    const frame = readFrame(text);
    if (frame !== undefined || isTrace(text)) {
      if (frame && frames.size < maxFrames) frames.add(frame);
    } else if (isSignificant(line)) {
      const key = text.replace(/\d+/g, '0');
      if (!candidates.has(key)) candidates.set(key, line);
    }
  }
  return { candidates: [...candidates.values()], frames: [...frames] };
}

const panicked = /^thread '[^']{0,100}' (?:\(\d{1,9}\) )?panicked at (?:'(.{1,1500})', )?[^']{1,300}$/;

/** Rust's panics give the reason on the same line or, in newer versions, on the next. */
function readPanic(line: Line, at: number, lines: readonly Line[]): Line[] {
  const match = panicked.exec(line.text);
  if (match) return match[1] === undefined ? [] : [{ ...line, text: `panic: ${match[1]}`, level: 'error' }];
  const before = at > 0 ? panicked.exec(lines[at - 1]?.text ?? '') : undefined;
  return [before && before[1] === undefined ? { ...line, text: `panic: ${line.text}`, level: 'error' } : line];
}

/** Longer lines name the failure themselves. */
const longestLead = 60;

/** After a colon, the next line continues. */
function readOn(line: Line, at: number, lines: readonly Line[]): Line {
  const before = lines[at - 1]?.text ?? '';
  if (/^caused by:$/i.test(before)) return { ...line, cause: true };
  const next = lines[at + 1];
  if (
    !line.text.endsWith(':') ||
    line.text.length > longestLead ||
    !next ||
    next.text === '' ||
    next.level !== undefined
  )
    return line;
  if (isTrace(line.text) || isTrace(next.text) || readFrame(next.text) !== undefined) return line;
  return { ...line, text: `${line.text} ${next.text}` };
}

interface Suspect {
  text: string;
  codes: Code[];
  strength: number;
}

const loneCode = /^[[{(]?['"]?(?:code|sqlstate|SQL state|errno|sqlState|\[?SQLSTATE)['"]?\s?[:=]/i;

/** A code on its own line belongs to the line before. */
function gatherCodes(lines: readonly Line[]): Suspect[] {
  const found: Suspect[] = [];
  for (const line of lines) {
    const { text } = line;
    const codes = findCodes(text);
    const last = found.at(-1);
    if (last && loneCode.test(text)) last.codes = join(last.codes, codes);
    else {
      const strength = weigh(line, codes);
      if (strength >= enough) found.push({ text, codes, strength });
    }
  }
  return found;
}

/** Name and message are compared separately. */
const leadingClass =
  /^(?:(?:[A-Za-z_][\w$]{0,60}(?:\.|::)){0,12}[A-Z][\w$]{0,80}(?:Error|Exception)|Error|panic|(?:[A-Za-z_]\w{0,60}(?:\.|::)){1,8}[A-Z]\w{2,80})(?: \[[A-Z_0-9]{2,60}\])?(?: \([^)]{0,60}\))?: /;

function weigh({ text, level, cause, placed }: Line, codes: readonly Code[]): number {
  const most = codes[0]?.weight ?? 0;
  if (most < 0.9 && isWrapper(text, most)) return 0.2;
  const cued = cues.test(text) ? 1 : hints.test(text) ? 0.6 : 0;
  const classed = leadingClass.test(text) || /^[A-Z]\w*(?:Error|Exception)$/.test(text) ? 1 : 0;
  const severity = level === 'error' ? 0.8 : level === undefined ? 0 : -0.8;
  return most * 2 + cued + classed + severity + (cause ? 0.7 : 0) + (placed ? 0.3 : 0);
}

/** A failed step, before its reason. */
const hollowLead =
  /^(?:\* )?(?:What went wrong|Failed to execute goal[^:\n]{0,200}(?::[\w.-]{1,60}){0,3}(?: \([\w-]{1,60}\))?(?: on project [\w.-]{1,80})?|Error response from daemon|Error|error|Failed|An error occurred|INSTALLATION FAILED|UPGRADE FAILED): (?=\S)/;

/** Words that only describe a failure. */
const hollow = new Set(
  `a above abort aborted aborting again an and any app application at be because been build by check code command compilation
  compile completed complete could crashed detail details did do does due during encountered error errors evaluating event exception
  execution exit exited exiting fail failed failing failure failures fatal for from goal had handler handling has have help in
  information internal is it job log logs make more not occurred of on operation output pipeline please previous problem process
  program project recovered root request result run running runtime script see server service start started starting startup status step steps
  stop stopped successfully suite suites task tasks test tests the this to try unable uncaught unhandled unsuccessful was were
  when while with your something went wrong unexpected unexpectedly returned terminated`.split(/\s+/),
);

function isWrapper(text: string, most: number): boolean {
  const reason = text.replace(hollowLead, '');
  if (reason !== text && /^[A-Z]\w+ \w+/.test(reason)) return isWrapper(reason, most);
  if (wrappers.some((wrapper) => wrapper.test(text))) return true;
  if (most > 0) return false;
  const words =
    text
      .replace(/\S*[/\\]\S*|"[^"]*"|'[^']*'|`[^`]*`/g, '')
      .toLowerCase()
      .match(/[\p{L}_'-]{2,}/gu) ?? [];
  return words.length > 0 && words.every((word) => hollow.has(word));
}

/** The same for all occurrences of one failure. */
export function keyOf({ codes, template }: Pick<Failure, 'codes' | 'template'>): string {
  const names = codes.map(({ name }) => name).sort();
  return `${names.join(' ')} ${template.replace(/‹\w+›/g, '‹›').replace(/(?:‹›[\s,.:;/-]*)+/g, '‹› ')}`.trim();
}

function join(a: readonly Code[], b: readonly Code[]): Code[] {
  const names = new Set(a.map(({ name }) => name));
  return [...a, ...b.filter(({ name }) => !names.has(name))].sort((x, y) => y.weight - x.weight);
}
