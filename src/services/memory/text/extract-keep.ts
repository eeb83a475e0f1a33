// What makes a sentence worth keeping beyond being a plain fact: the cue that says decision, preference, correction, fix,
// rule, gotcha or instruction. Precise cues only; a sentence without one can still be kept as a fact.
import { judgeForeign } from '../../../graph/words.ts';
import { findForeignCue } from './cue-words.ts';
import type { Clause } from './extract-clause.ts';

export const keepReasons = ['fact', 'decision', 'preference', 'correction', 'fix', 'rule', 'gotcha', 'howto'] as const;
export type KeepReason = (typeof keepReasons)[number];

type Cue = [KeepReason, RegExp];

/** In the order in which they are tried; the first that fits names the reason. */
const cues: readonly Cue[] = [
  [
    'preference',
    /^(?:please )?(?:i|we|she|he|\w+) (?:(?:really|usually|generally|strongly|always|still|much|personally|definitely) )?(?:prefers?|(?:love|hate|dislike|enjoy|detest|adore)s?|favou?rs?|can't stand|(?:don't|do not|doesn't|never) (?:really )?(?:like|want|enjoy)|(?:tend|like) to)\b/,
  ],
  [
    'preference',
    /^i (?:really |usually |generally |also )?like (?!you|it\b(?!\s+\w+ing|\s+when)|that\b|this\b|the idea)/,
  ],
  [
    'preference',
    /\bmy (?:favou?rite|preferred|preference)\b|^(?:i'd|i would) (?:much )?(?:rather|prefer)\b|\bi'm (?:allergic|not a fan|a (?:big|huge) fan)\b/,
  ],
  ['preference', /^i (?:always|never|usually|mostly|normally|typically) (?!see\b|get (?:this|that))/],
  [
    'decision',
    /\b(?:i|we|they|team|squad|board|everyone)(?:'ve| have|'re| are)? (?:all )?(?:finally |already |just )?(?:decided|settled|agreed|opted|ruled out|rejected|committed to|standardi[sz]ed on|going with|went with|sticking with|staying with)\b|\bit was (?:decided|agreed)\b/,
  ],
  [
    'decision',
    /^(?:i|we|they|the team)(?:'ve| have)? (?:finally |already |deliberately )?(?:chose|chosen|picked|selected|adopted|abandoned|accept|accepted|gave up)\b/,
  ],
  [
    'decision',
    /^let's (?:go (?:with|for)|stick (?:with|to)|stay (?:with|on)|use|keep (?!going|looking|in mind)|settle|adopt|standardi|not use|drop|say)\b/,
  ],
  [
    'decision',
    /^i think (?:i'll|we'll|i will|we will) (?:go (?:with|for)|use|stick with|choose|take)\b|^(?:for now,? |until \w+,? )?we (?:accept|go with|stay with|stick with|do not want|don't want)\b|^(?:decision|adr[- ]?\d*)\b.{0,12}:|\b(?:the|our) decision (?:is|was)\b/,
  ],
  [
    'fix',
    /\b(?:root cause|culprit|underlying (?:problem|issue|cause)|real (?:problem|issue|cause|reason)) (?:was|is|turned|lies|lay|:)|\b(?:the |my |our )(?:actual )?(?:fix|solution|workaround|trick|cure) (?:was|is|turned)\b|\bworkaround:/,
  ],
  [
    'fix',
    /\b(?:it )?turn(?:s|ed) out\b|\b(?:fix|solv|resolv|cur|mend|workaround|work(?:ed)? around|address|eliminat)\w* (?:it |this |that |the [\w -]{1,40}|a [\w -]{1,40})?by\b/,
  ],
  [
    'fix',
    /^(?!i |i've |it |this |that |we )\S.{4,160} (?:fix(?:es|ed)|solve[sd]|resolve[sd]|cure[sd]|got rid of|helped|did the trick|made it work) (?:it|this|that|the|my|our)\b/,
  ],
  [
    'fix',
    /\b(?:fail(?:s|ed)?|crash(?:es|ed)?|happen(?:s|ed)|br(?:eaks?|oke)|hangs?|hung|leak(?:s|ed)|timed? out|slow|stopped working|red|occur(?:s|red))(?: \S+){0,6} because\b|\b(?:was|were|is|are) caused by\b|^the (?:bug|problem|issue|crash|leak|error|failure) (?:was|is|came|comes) (?!still|back|in |not|with|now|again)/,
  ],
  ['fix', /\bworks? again (?:once|after|when|with)\b|\bhad to \w+ .{3,80} (?:to (?:get|make)|before|because|for it)\b/],
  [
    'gotcha',
    /^(?:beware|be (?:careful|aware)|careful|watch out|gotcha|caveat|pitfall|attention|warning|keep in mind|note|note that|mind that|mind you|heads.up|remember|remember that|important)\b/,
  ],
  [
    'correction',
    /\bno longer\b|\b(?:anymore|any more|these days)\b|\bthat(?:'s| is| was) (?:wrong|not right|not true|incorrect|outdated|not correct|no longer)\b|\bi was wrong\b|\bthat changed\b/,
  ],
  [
    'correction',
    /\b(?:mov|migrat|switch|chang|upgrad|downgrad|renam|rewr[io]t|convert|transition)\w*\b(?: \S+){0,6}? (?:from|over to|away from)\b|\b(?:we|i|they)(?:'ve| have)? (?:just |recently |finally )?(?:moved|migrated|switched) (?:\S+ ){0,5}to\b|\breplaced (?:\S+ ){1,6}(?:with|by)\b|\bwas (?:renamed|moved|replaced|raised|lowered|increased|reduced|changed|bumped)\b/,
  ],
  [
    'rule',
    /\b(?:must(?!-)|mustn't|shall|(?:has|have|had) to be|(?:is|are) (?:not )?(?:allowed|forbidden|mandatory|required|prohibited|permitted)|is not to be|are not to be|may (?:only|never))\b|\bonly .{2,60} may\b/,
  ],
  [
    'rule',
    /\b(?:from now on|going forward|in (?:the )?future|next time|as a rule|by convention|our convention|house rule|policy)\b/,
  ],
  [
    'rule',
    /^(?:please )?(?:always|never|avoid)\b|^(?:please )?(?:don't|do not) (?!worry|bother|mind|forget|think|know|do (?:that|this|it)|you|hesitate|need|see|have|understand)\w/,
  ],
  [
    'rule',
    /^(?!i |you )\S.{2,80} (?:should(?:n't| not)?(?: always| never| only)? (?!work|fix|do it|be (?:ok|fine|safe|good|enough|done|ready|able|possible))\w|(?<!not |n't )need(?:s)? (?:its|their|a|an|to be|at least|two|\w+ approvals?)\b|(?:has|have) to \w)/,
  ],
  [
    'rule',
    /\b(?:always|never) \w+|^(?:every|each|all|any|anything|everything|nothing|nobody|no one)\b .{2,80}\b(?:must|should|needs?|are|is|gets?|goes|starts?|lives?)\b/,
  ],
];

const howtos: readonly RegExp[] = [
  /^(?:in order )?to \w+[^,]{2,80}, (?:first |you |just |simply |please )?(?:need to |have to |can |must )?(?!it|there|this|we're|i)\w+/,
  /^you (?:can |need to |have to |must |should |may |first |then )?\w+ .{2,80}\b(?:with|by|via|through|using|before|after|from|in) \S/,
  /^(?:on|under|for|with|in) [\w. -]{2,40},? you (?:need|have|must|can)/,
  /^how to [^?]{3,80}:/,
];
/** An order of what to type, when it is about a command and for what. */
const command =
  /(?:`[^`]+`|\b(?:npm|npx|pnpm|yarn|bun|node|deno|make|cargo|go|docker|docker-compose|kubectl|helm|terraform|git|pip|uv|poetry|python3?|pytest|ruff|gradle|mvn|rake|bundle|composer|php|psql|redis-cli|systemctl|ssh|curl|bash|just|task)\b [\w./:@-]+|\.\/[\w./-]+|\b[\w-]+\/[\w./-]+|--?[a-z][\w-]+)/;
const purpose = /\b(?:to|before|after|for|when|whenever|if|instead of|rather than|unless|with)\b/;

/** In an order: that it holds for every time, not for now. */
const standing =
  /\b(?:always|never|every (?:time|\w+)|only|must|unless|whenever|instead of|rather than|before (?:you|commit|push|merg|releas|deploy)\w*|by default|(?:in|for|throughout) (?:this|the|our) (?:repo|repository|project|codebase|monorepo|team)|for (?:indentation|formatting|dates|ids|logging|new code|commits?)|in (?:tests|typescript|javascript|python|go|rust|makefiles?|commit messages?|code))\b|^(?:please )?(?:use|prefer|write|name|call|put|keep|store)\b.*, not \w/;

export function findCue(clause: Clause): KeepReason | undefined {
  const { low, opening } = clause;
  for (const [reason, cue] of cues) if (cue.test(low)) return reason;
  const foreign = judgeForeign(low) >= 0 ? findForeignCue(low) : undefined;
  if (foreign !== undefined) return foreign;
  if (/^(?:no|nope|nah|actually|wrong)\b/.test(opening) && clause.tokens.length >= 4) return 'correction';
  return undefined;
}

export function isHowto({ low }: Clause): boolean {
  return howtos.some((shape) => shape.test(low));
}

export function isCommandWithPurpose({ low }: Clause): boolean {
  return command.test(low) && purpose.test(low);
}

export function isStandingOrder({ low }: Clause): boolean {
  return standing.test(low);
}

/** Opens an order. */
export const orderVerb =
  /^(?:please |pls |kindly |now |then |next |first |just |maybe |go |also |again |ok |try to |so )*(?:adapt|add|adjust|align|allow|analy[sz]e|audit|assess|answer|append|apply|ask|assume|attach|avoid|base|be|begin|bring|build|bump|call|cancel|change|check|clean|clear|click|comment|uncomment|clone|close|commit|compare|compile|compute|configure|confirm|connect|consider|continue|convert|copy|correct|create|cut|debug|define|delete|deploy|describe|design|determine|disable|do|document|download|draft|drop|edit|emit|enable|ensure|evaluate|examine|execute|expand|explain|explore|export|extend|extract|fetch|figure|fill|find|finish|fix|focus|follow|format|gather|generate|get|identify|give|go|grab|group|handle|have|help|hide|ignore|implement|import|improve|include|increase|inline|insert|inspect|install|integrate|investigate|keep|kill|label|leave|let|lint|list|load|log|look|make|merge|migrate|mock|modify|move|name|open|optimi[sz]e|outline|paste|pick|pin|post|prepare|print|propose|provide|push|put|read|rebase|recommend|reduce|refactor|reload|remove|rename|render|replace|reply|reproduce|rerun|re-run|research|reset|resolve|restart|restore|return|reuse|revert|review|rewrite|rollback|roll|rotate|run|save|scan|schedule|search|see|send|separate|set|ship|show|simplify|skip|solve|sort|split|squash|start|stop|store|submit|suggest|summari[sz]e|swap|switch|sync|tag|take|tell|test|think|throw|track|translate|trim|try|tune|turn|understand|undo|unify|update|upgrade|upload|use|validate|verify|visit|wait|walk|watch|wire|wrap|write)\b(?! (?:is|are|was|were|does|has)\b)/;
