// What is said only for the moment: questions, greetings, requests, progress, guesses, offers. Each rule is about one turn
// of phrase; whether a sentence that passes them all is worth keeping is decided elsewhere.
import type { Role, Turn } from './conversation-turn.ts';
import type { Clause } from './extract-clause.ts';
import { baseVerbs, contentOf, hasVerb, tokensOf } from './extract-words.ts';

export type DropReason =
  | 'question'
  | 'greeting'
  | 'request'
  | 'progress'
  | 'speculation'
  | 'hypothetical'
  | 'offer'
  | 'code'
  | 'output'
  | 'private'
  | 'quotation'
  | 'vague'
  | 'repeat'
  | 'excess';

const inverted =
  /^(?:(?:what|which|who|whose|where|when|why|how)(?:'s)? (?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|about|many|much|long|often|come|the|to|version|port|of|exactly|else|if|owns?|uses?|runs?|\w+s?)\b|(?:is|are|was|were|do|does|did|can|could|would|will|has|have|shall) (?:i|we|you|it|this|that|there|they|he|she|the|a|an|my|our|your|anyone|anybody|someone|these|those)\b)/;

/** A verb in front asks, with or without its mark; but "Is used by …" in a list leaves its subject out. */
const asking =
  /^(?:is|are|was|were|does|did|can|could|should|would|will|has) (?!be\b|been\b|not\b|now\b|only\b|also\b|always\b|never\b|\w+ed\b|\w+ing\b|no\b|at\b|in\b|on\b|by\b|for\b|from\b|to\b)[a-z]+ /;

/** Nothing but words of politeness and assent. */
const polite =
  /^(?:(?:hi|hey|hello|yo|howdy|thanks?|thx|ty|tysm|cheers|great|nice|cool|awesome|perfect|excellent|wonderful|amazing|fantastic|lovely|brilliant|super|ok(?:ay)?|k|sure|yes|yeah|yep|yup|ya|no|nope|nah|right|alright|lol|rofl|haha+|hehe|wow|whoa|oh|ah|aha|hmm+|lgtm|absolutely|certainly|definitely|exactly|totally|agreed|indeed|true|correct|welcome|bye|please|pls|thank|you|so|very|really|much|all|again|then|there|everyone|guys|team|good|morning|afternoon|evening|night|job|work|one|catch|point|idea|luck|thing|stuff|sounds|looks|seems|like|a|lot|plan|got|it|that|that's|understood|noted|makes|sense|of|course|never|mind|nevermind|no worries|problem|go|ahead|for|fine|by|me|fair|enough|i|see|agree|works|worked|now|do|too|and|well|done|bravo|kudos|will|roger|copy|gotcha|sorry|oops|my|bad)[\s,.!:;~-]*){1,7}$/u;
const pleasantries =
  /^(?:good (?:morning|afternoon|evening|question|point|catch|idea|job|luck|to (?:know|hear|see))|thanks (?:for|so|a|to|again)|thank you|great (?:work|job|catch|question|idea|point|to hear)|nice (?:work|job|catch|to (?:meet|see|hear))|(?:yes|sure|of course|absolutely|certainly|yep),? (?:i can|please|go ahead|do it|let's)|sounds (?:good|great|fine|like|perfect|wonderful|amazing|lovely)|looks good|makes sense|my (?:apologies|bad|mistake)|(?:i'm |we're )?(?:so |very |really )?sorry\b|apologies|you're (?:absolutely |totally |completely |quite |very )?(?:right|welcome|correct)|you are (?:right|welcome|correct)|congrat\w*|well done|(?:i'm )?(?:so |really )?(?:glad|happy for|proud of you|excited for)|happy to hear|(?:i )?hope (?:you|this|that|it)|how (?:are you|was your|is it going|have you been)|take care|see you|no (?:problem|worries)|go (?:ahead|for it)|that worked|works for me|fair enough|i (?:see|understand|agree|appreciate)|that(?:'s| is| sounds| was| must)(?: be| have been| so| really| very| a| an| all| such| pretty| totally)* (?:great|good|nice|fine|perfect|wonderful|awesome|amazing|interesting|helpful|exciting|fantastic|cool|fun|lovely|incredible|inspiring|impressive|tough|terrible|sad|right|correct|true|it|fair|smart|clever|beautiful|super|brilliant)|what a |keep (?:it )?up|ready when you are|enjoy (?:your|the|it)|have (?:a (?:great|good|nice)|fun)|best (?:of luck|wishes)|wish you|long time no see|talk (?:to you )?(?:soon|later)|cheers\b)/;

const offers =
  /^(?:let me know|feel free|would you like|do you want|want me to|shall i|should i|happy to|i(?:'d| would) be (?:happy|glad)|i can (?:also|help|write|set|add|show|do|make|create|run|put|give|provide|walk|try|then|certainly)|i could\b|if you(?:'d)? (?:want|like|prefer|need|wish|have|are interested|decide|share|tell|give|paste|provide|could|can\b|'re)|if (?:it|that|this) (?:still |does|doesn't|helps|works|fails|sounds|is (?:ok|fine|acceptable))|just (?:let|ask|tell|say)|ping me|(?:please )?(?:don't|do not) hesitate|i'm here|whenever you're|you can (?:then )?(?:tell|ask|let|share|paste|send) me|paste (?:it|the)|i'll be (?:here|happy|glad)|i(?:'d| would)? (?:strongly )?(?:recommend|suggest|propose)|my (?:recommendation|suggestion)|you(?:'re| are) (?:ready|all set|good to go)|you can (?:now|re-?run|also|try|test|verify|view|find|open|check|see)|say the word)\b|\blet me know\b|\bsay the word\b/;

const guesses =
  /\b(?:maybe|perhaps|probably|possibly|presumably|conceivably|might|not (?:entirely |quite |really |completely |100 ?% )?(?:sure|certain)|unsure|no idea|hard to say|could (?:be|also be|well|have been|just|possibly)|may (?:be (?:a|an|the|that|because|due|related|why|worth|caused)|have (?:been|to do))|i (?:think|guess|suppose|suspect|assume|wonder|doubt|imagine|reckon|feel like|have a feeling)|my (?:guess|hunch|theory|suspicion)|(?:it|this|that|which|there|problem|issue|bug|cause|error|he|she|they|\w+) (?:seems?|appears?) (?:to\b|that|like|as|likely|related)|^seems|looks like|look like it|(?:most |very |quite |is |it's |that's |more )likely|likely (?:why|because|due|a|the|that)|should (?:be (?:safe|fine|ok|okay|enough|good|possible|able|done|ready|easy)|work|do (?:it|the trick)|fix|help|solve)|supposedly|must (?:be (?:elsewhere|missing|because|something|related|due|some)|have been)|apparently|in theory|worth (?:a try|checking|trying)|i'd (?:say|guess|probably|expect)|i'm (?:thinking|wondering|not convinced|guessing|considering|debating)|let's hope|hopefully|we could\b|you could\b|one option|another option|alternatively)\b/;

const hypotheticals =
  /^(?:suppose|assuming|imagine|what if|hypothetically|in an ideal|let's (?:say|assume|pretend)|say we|if only|(?:in case )?if (?:so|not|something|anything|we (?:had|ever|were|wanted|want|do|did)|i (?:had|were)))\b|^if\b.{3,200}\b(?:would|could|might|were|we can|we could|i'll|i will|i can)\b/;
const would =
  /\b(?:would(?! (?:like|rather|prefer|not (?:start|work|load|compile|connect|build|run|open))\b)|would've)\b|\b(?:it|that|this|he|she|they|we|you)'d (?:be|have|need|make|take|fall|work)\b/;

const agentAct =
  /^(?:(?:first|next|now|then|finally|meanwhile|after that|afterwards|once that's done|to (?:do|verify|check|confirm|see|be sure) (?:this|that|it)?),? )?(?:let me|let's (?:see|look|check|start|run|take|try|first|begin|verify|now|do|examine|find|read|search|update|create|add|write|fix|move on|continue|think)|i'll|i will|i'm (?:going|about|now|currently|checking|looking|running|reading|adding|updating|still|just|also)|i am (?:going|about|now|currently|checking|looking|running)|i need to|i (?:can |do )?(?:see|notice|noticed)|i (?:have|'ve)|i've|i (?:just )?(?:found|updated|added|created|removed|changed|fixed|ran|checked|looked|read|wrote|moved|renamed|replaced|tested|verified|made|implemented|refactored|pushed|committed|tried|did|put|opened|searched|reviewed|converted|extracted|installed|wired|left|kept|will|want|should|must|now|understand|have|also|started|finished|completed)|we were about|we (?:are|'re) (?:now|about|done)|we're (?:now|about|done)|here(?:'s| is| are)|below (?:is|are)|this is (?:the|a) (?:updated|new|revised)|now (?:i|let|we|that|the tests?|it)|next(?: up)?,? (?:i|we|let|step)|time to|going to|on it|working on|one moment|hold on|done|all (?:done|set|good|\d* ?(?:tests?|checks|runs)|tests|checks)|everything (?:is|works|passes|looks)|(?:still|now) (?:failing|running|passing|working|compiling)|ready\b|good news)\b/;
/** An agent that speaks of itself says nothing about the project. */
const agentSelf = /(?:^|[\s("'])(?:i|i'll|i'm|i've|i'd|me|my)(?=[\s,.;:!)]|$)/;
/** Its praise of what it proposes, and advice that would fit anywhere. */
const agentAdvice =
  /^(?:this|these|that|the|with (?:this|these)|after (?:this|these|applying|making))(?: (?:change|update|edit|fix|modification|approach|setup|structure|configuration|way|implementation|version|code|file|step|addition|block)s?)?,? (?:will|should|would|ensures?|allows?|helps?|makes?|way|gives?|lets?|keeps?|provides?|you'll|you will)\b|^(?:we|you)(?: can| could| should|'ll| will| need to|'d)\b(?! (?:not|never)\b)|^you(?:'ll| will) need|^(?:it's|it is) (?:a |generally |usually |often )*(?:good|best|better|common|important|worth|recommended|possible|up to)\b|^(?:for example|for instance|e\.g\.|as an ai|alternatively|optionally|once (?:you|that|this|it)|when you're ready|please)\b/;
/** "Added …": what an agent did, without its subject. */
const bareDeed =
  /^(?:now |also |just |successfully |finally |both |all )?(?:found|added|updated|created|removed|changed|fixed|ran|checked|looked|wrote|written|moved|renamed|replaced|tested|verified|made|implemented|refactored|pushed|committed|tried|opened|searched|reviewed|converted|extracted|installed|wired|restored|bumped|deleted|inspected|investigated|started|stopped|finished|completed|cleaned|prepared|built|compiled|deployed|merged|reverted|applied|generated|adjusted|switched|parsed|scanned|fetched|loaded|pulled|formatted|handled|tweaked|documented|simplified|reorgani[sz]ed|split|reduced|improved|ensured|confirmed|explored|analy[sz]ed|examined|reproduced|retried|corrected|resolved|addressed|rewrote|rewritten|upgraded|downgraded|introduced|exposed|rebuilt|copied|enhanced|extended|dropped|inlined|consolidated|adapted|marked|saved|kept|expected|aligned|hardened|swapped|pinned|captured|locked in|validated|recorded|folded|noted|registered|reworked|staged|queued|synced)\b/;
/** What it says about its own work and words. */
const agentRemark =
  /^now\b|^(?:that's|that is) (?!because|why)|^(?:the |this )?(?:doc|docs|document|section|plan|table|spec|summary|§[\d.]+) (?:now|already)\b|\byou (?:mentioned|said|asked|wanted|described|shared|provided|pasted)\b|^(?:good|great|nice|fair) (?:question|eye|catch|point|instinct)\b|\b(?:is|are) (?:now )?(?:running|erroring|working|passing|building) ?(?:successfully|fine|silently|cleanly)?[.!]?$|\bclean[.!]?$|^(?:the |this |that )?[\w ./`*-]{2,40} (?:is|are|was|were) (?:now )?(?:created (?:at|in)|closed|written to|resolved|addressed|captured|recorded|merged|pushed|committed)\b/;
/** "Running …": what it is doing. */
const bareAct = /^(?:(?:now|also|just|still) )?(?:re-?)?[a-z]{2,}ing\b/;
const finite =
  /\b(?:is|are|was|were|will|causes?|breaks?|broke|means?|requires?|needs?|makes?|leads?|skips?|fails?|takes?|works|gives?|costs?|does|doesn't|cannot|can|should|must|may|has|have|throws?|drops?|loses?|keeps|triggers|becomes|deletes?|removes|leaves|lets|invalidates|corrupts|overwrites)\b/;

const status =
  /^(?:(?:the|my|our|your|all|some|this|that|these|both|\w+) (?:[\w./-]+ ){0,5})?(?:it|it's|is|are|'s|was|keeps?|still|they're)\b(?: \S+){0,3} (?:failing|failed|broken|red|green|stuck|hanging|crashing|passing|not working|compiling|done|complete|completed|finished|in place|up to date|clean|fine|working|ready|gone|acting up|not installed|installed|valid|available now)\b(?! (?:because|when|if|unless|until|on (?:windows|macos|linux|node)|for|since|without))|^(?:hmm+,? )?still \w+ing\b|^(?:the|that|this|all|both) [\w ./-]{1,40}(?:passes|pass|fails|compiles|builds?|works?|succeeds|succeeded)(?: again| now| locally| too| fine)?[.!]?$|^(?:the|it|this|that)(?: [\w-]+){0,3} (?:doesn't|does not|won't|will not) (?:build|compile|work|run|start)(?: yet| at all| anymore| any more| here| locally)?[.!*]*$|^the [\w ]{1,30} (?:touched|changed|affected) \d+|\b(?:has|have) been (?:successfully |now )?(?:created|updated|added|removed|fixed|applied|installed|written|changed|pushed|committed)(?: successfully)?[.!]?$|(?:installed|completed|created|finished|updated|built|deployed|done) successfully[.!]?$|^(?:the )?[\w-]{2,20} (?:succeeded|failed|passed|complete|completed|finished|done|valid)[.!]?$|^there(?:'s| is| are| was) (?:a|an|one|some|another|still|two|three|\d+) (?:more )?(?:type |lint |syntax |compile )?(?:errors?|failures?|failing|warnings?|typos?|problems?)\b/;
const userNow =
  /^(?:i'm|i am|we're|we are) (?:(?:currently|now|still|just|right now|again|busy) (?:\w+ ){0,2}(?:debugg|fix|rebuild|refactor|work|runn|try|test|look|check|wait|build|writ|gett|see|investigat|upgrad|migrat|deploy)(?:ing)?\b|(?:back|stuck) (?:on|at|to|with)\b|about to\b|debugging|fixing|rebuilding|refactoring|working on|in the middle\b|going to (?:run|try|push|merge|test|check|fix|look)|getting (?:an?|the|this) (?:error|exception|warning)|trying to (?:build|fix|run|install|debug|understand|figure|compile|deploy|reproduce|test|implement|solve|add|connect|import|get (?:it|this|that|the)|make (?:it|this|that|the)|set up|use the|find (?:out|the|where|why)))\b/;
const userSees =
  /^(?:now )?i (?:still |now |keep |just )?(?:get|got|see|am getting|keep getting) (?:an?|this|the|that|these) (?:\w+ ){0,3}(?:error|exception|warning|message|failure|errors)\b|^(?:the )?(?:first|next|last) thing we need\b|^we need to (?:look|figure|decide|find|check|investigate|discuss|plan)\b/;
const userPlan =
  /^(?:i'll|i will|i'm going to|let me|we'll) (?:check|look|try|test|run|fix|push|merge|review|see|take a look|get back|send|paste|do|be (?:right )?back|have a look|update|ask|think|let you|rebase|commit|deploy|add|write|report)\b/;
const userDid =
  /^(?:i|we)(?:'ve| have)? (?:just |already |now )?(?:added|installed|pushed|merged|ran|tried|updated|fixed|committed|restarted|rebased|deployed|did|changed|removed|uploaded|sent|pasted|attached|opened|closed|checked|tested)\b(?: \S+){0,4}[.!]?$|^you (?:don't need to|do not need to|forgot|missed|broke|didn't|did not|should have|keep|already|just)\b|^looking (?:for|to)\b/;
const wish =
  /^(?:i|we)(?:'d| would)? (?:(?:also|just|really|still) )?(?:want(?: to|\b)|need(?: to| you| a| an| some| help| the)?\b|like (?:to|you|it if)|love (?:it if|you|to (?:see|have|know|hear|get))|wish|expect you|have to (?:fix|add|change|find|figure))(?! (?:support|keep|be compatible|stay))|^(?:i'm|we're|i am|we are) (?:looking for|interested in (?:hearing|learning|knowing|getting)|hoping (?:you|to get|for)|in need)|^(?:we|you) should (?:probably |really |also |just )?(?:fix|add|look|check|change|update|remove|try|do|find|write|test|refactor|rename|move|clean|make)|^help me\b|^(?:any|some) (?:ideas?|suggestions?|tips|thoughts|recommendations?|advice)\b|^next (?:task|step|up|thing)\b|^(?:can|could|would|will) (?:you|we)\b/;

const slash =
  /^\/(?:add|drop|run|ask|code|clear|undo|help|model|commit|read-only|diff|test|tokens|exit|quit|ls|init|compact|cost|review|resume|web|architect|paste|context|mcp|continue)\b/;
/** What one says to be done with a matter. */
const waved = /^(?:please )?(?:don't|do not) (?:worry|bother|mind|think|need|hesitate|do (?:that|this|it))\b/;

export const orderVerb =
  /^(?:please |pls |kindly |now |then |next |first |just |maybe |go |also |again |ok |try to |so )*(?:adapt|add|adjust|align|allow|analy[sz]e|audit|assess|answer|append|apply|ask|assume|attach|avoid|base|be|begin|bring|build|bump|call|cancel|change|check|clean|clear|click|comment|uncomment|clone|close|commit|compare|compile|compute|configure|confirm|connect|consider|continue|convert|copy|correct|create|cut|debug|define|delete|deploy|describe|design|determine|disable|do|document|download|draft|drop|edit|emit|enable|ensure|evaluate|examine|execute|expand|explain|explore|export|extend|extract|fetch|figure|fill|find|finish|fix|focus|follow|format|gather|generate|get|identify|give|go|grab|group|handle|have|help|hide|ignore|implement|import|improve|include|increase|inline|insert|inspect|install|integrate|investigate|keep|kill|label|leave|let|lint|list|load|log|look|make|merge|migrate|mock|modify|move|name|open|optimi[sz]e|outline|paste|pick|pin|post|prepare|print|propose|provide|push|put|read|rebase|recommend|reduce|refactor|reload|remove|rename|render|replace|reply|reproduce|rerun|re-run|research|reset|resolve|restart|restore|return|reuse|revert|review|rewrite|rollback|roll|rotate|run|save|scan|schedule|search|see|send|separate|set|ship|show|simplify|skip|solve|sort|split|squash|start|stop|store|submit|suggest|summari[sz]e|swap|switch|sync|tag|take|tell|test|think|throw|track|translate|trim|try|tune|turn|understand|undo|unify|update|upgrade|upload|use|validate|verify|visit|wait|walk|watch|wire|wrap|write)\b(?! (?:is|are|was|were|does|has)\b)/;

/** Whether a clause tells someone to do something: at once, or behind what it is to be done with. */
export function isOrder({ low, tokens }: Clause): boolean {
  if (orderVerb.test(low) || isBareOrder(tokens)) return true;
  const comma = low.search(/, /);
  if (comma < 0 || comma > 100 || !/^(?:in|on|at|for|based on|using|given|with|as|from|inside|now|here)\b/.test(low))
    return false;
  return isBareOrder(tokensOf(low.slice(comma + 2, comma + 80)));
}

function isBareOrder([verb = '', next = '']: readonly string[]): boolean {
  return (
    baseVerbs.has(verb) &&
    /^(?:the|a|an|this|that|these|those|your|my|our|it|them|all|each|every|any|both|new|me|us|another|some|only|just)$/.test(
      next,
    )
  );
}

/** Why a clause is not worth keeping whatever else it says, or nothing. */
export function findIdle(clause: Clause): DropReason | undefined {
  const { low, opening, tokens } = clause;
  const whole = opening + low;
  if (/[?？]["')\]*_」』]*$/.test(low)) return offers.test(low) ? 'offer' : 'question';
  if (polite.test(whole)) return 'greeting';
  if (tokens.length <= 9 && (pleasantries.test(whole) || pleasantries.test(low))) return 'greeting';
  if (/^(?:the|my|our|one|only)(?: \w+){0,2} question (?:is|remains)\b|^open question\b/.test(low)) return 'question';
  if (/(?:\.\.\.|…)$/.test(low) && tokens.length <= 8) return 'vague';
  if (asking.test(low) && tokens.length >= 3) return 'question';
  if (inverted.test(low) && !/[.!:]$/.test(low)) return 'question';
  if (offers.test(low)) return 'offer';
  return undefined;
}

export function findGuess({ low }: Clause): DropReason | undefined {
  if (hypotheticals.test(low)) return 'hypothetical';
  const stated = stateBefore(low);
  if (guesses.test(stated)) return 'speculation';
  return would.test(stated) ? 'hypothetical' : undefined;
}

/** The first part of a sentence, where it can stand alone: what is guessed behind it takes nothing from it. */
function stateBefore(low: string): string {
  const at = low.search(
    /, (?:so |but |and )?(?:maybe|perhaps|might|probably|i think|i guess|i'm (?:not|wondering|thinking|considering)|i am not|i was (?:wondering|thinking|hoping)|i wonder|i'd (?:like|love)|not sure|can you|could you|which (?:might|could|would|may))\b| [-–—] |;\s/,
  );
  if (at < 15) return low;
  const head = low.slice(0, at);
  const tokens = tokensOf(head);
  return hasVerb(tokens) && contentOf(tokens).length >= 3 ? head : low;
}

/** What an agent does at the moment, before any cue counts: "I'll always …" promises nothing about the project. */
export function isAgentAct({ low, opening }: Clause, role: Role): boolean {
  if (role !== 'assistant') return false;
  return agentAct.test(low) || agentAct.test(opening + low) || agentSelf.test(low) || agentAdvice.test(low);
}

/** What is going on or asked for right now. */
export function findPassing({ low }: Clause, { role, speaker }: Turn): DropReason | undefined {
  if (status.test(low)) return 'progress';
  if (role === 'assistant') {
    if (agentRemark.test(low)) return 'progress';
    return bareDeed.test(low) || (bareAct.test(low) && !finite.test(low)) ? 'progress' : undefined;
  }
  if (userNow.test(low) || userPlan.test(low) || userSees.test(low)) return 'progress';
  if (role === 'user' && userDid.test(low)) return 'progress';
  // Among people, what one wants is told, not asked for.
  const asked = role === 'user' || speaker === '';
  if ((asked && wish.test(low)) || slash.test(low) || waved.test(low) || /^let's\b/.test(low)) return 'request';
  return undefined;
}
