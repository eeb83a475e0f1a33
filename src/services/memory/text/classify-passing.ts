// Detects temporary content: an event at a time, the current task, a machine's output. Each needs more than one sign, because
// temporary content fades.
import { readForeignTime } from '../time/time-languages.ts';
import type { Clause } from './extract-clause.ts';
import { readClause } from './extract-clause.ts';
import { findCue } from './extract-keep.ts';
import { looksLikeLog } from './extract-output.ts';

const day = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const month = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*';
const anchor = new RegExp(
  String.raw`\b(?:yesterday|last (?:night|week|weekend|month|${day})|this (?:morning|afternoon|evening)|tonight|earlier today|(?:today|on ${day}) (?:at|we|i)\b|on (?:last )?${day}(?! nights?)(?:\s(?:morning|afternoon|evening|night))?(?!s)\b|(?:\d+|a|an|one|two|three|four|five|six|a few|a couple of|several) (?:minutes?|hours?|days?|weeks?) ago|on \d{4}-\d\d-\d\d|on (?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? ${month}|on ${month} \d{1,2}|just now)\b`,
);
const past =
  /\b(?:\w{2,}ed|was|were|had|did|went|met|ran|broke|fell|lost|won|saw|spoke|sent|got|took|made|found|came|gave|left|bought|held|hung|began|wrote|shut|flew|drove|ate|read)\b/;
/** What began then and still holds. */
const lasting =
  /\b(?:moved|migrated|switched|upgraded|downgraded|renamed|replaced|decided|agreed|chose|picked|settled|dropped|deprecated|introduced|adopted|became|changed|pinned|enabled|disabled|rewrote|converted|joined|hired|married|born|since|as of|from now on|until|because|every|always|never|now|turned out|root cause|fixed by|means|so that|bought|adopted|named|called)\b/;

export function isEvent({ low, tokens }: Clause): boolean {
  if (tokens.length > 60) return false;
  return (anchor.test(low) && past.test(low) && !lasting.test(low) && tokens.length >= 3) || isForeignEvent(low);
}

/** The words for since in other languages: what began then still holds. */
const since = /(?<![\p{L}\p{M}])(?:seit|depuis|desde|со?|से)(?![\p{L}\p{M}])|から|以来|부터/u;

function isForeignEvent(low: string): boolean {
  return readForeignTime(low) !== undefined && !since.test(low);
}

const task =
  /^(?:currently|right now|at the moment|presently),? (?:i'm |i am |we're |we are |in the middle of )?\w+ing\b|^(?:i'm|i am|we're|we are) (?:currently|now|right now|still|in the middle of|busy|halfway|working on|about to|debugging|blocked|waiting)\b|^(?:wip|work in progress|in progress|next steps?|current task|current status|status|todo(?: for (?:this session|today|now|tomorrow))?|to do (?:today|now)|blocked|left to do|remaining|where i left off|handoff|resume here)\b ?(?:[:(-]|on\b)|\b(?:right now|at the moment)$|^(?:blocked on|waiting for|halfway through|in the middle of)\b/;

export function isTaskState(clause: Clause): boolean {
  const { low } = clause;
  if (/\b(?:limited|supports?|must|always|never|by default|is required|lives? in|works? (?:at|for))\b/.test(low))
    return false;
  return task.test(low.replace(/[.!]+$/, ''));
}

/** Every line is program output, without a comment on it. */
export function isOutput(text: string): boolean {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 40);
  if (lines.length === 0 || !looksLikeLog(lines[0] as string)) return false;
  const printed = lines.filter(looksLikeLog).length;
  if (printed < lines.length && printed * 2 < lines.length) return false;
  return lines.every((line) => {
    const cue = findCue(readClause(line.slice(0, 400)));
    return cue !== 'fix' && cue !== 'gotcha' && cue !== 'decision' && cue !== 'correction';
  });
}
