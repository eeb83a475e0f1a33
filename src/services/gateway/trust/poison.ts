// Signs of an attack in the description of a tool: hidden characters, encoded commands, instructions to the model, data sent
// elsewhere, and references to the tools of other servers. They only delay an approval, so a few false alarms are acceptable.
import { showHidden } from '../../../core/text/fence.ts';
import type { UpstreamTool } from './definition.ts';
import { overlap } from './rename.ts';

export interface PeerTool {
  readonly server: string;
  readonly name: string;
  readonly description: string;
}

export interface Suspicion {
  readonly kind: 'hidden characters' | 'encoded command' | 'instructions' | 'data sent elsewhere' | 'other tools';
  /** The suspicious words, made visible. */
  readonly text: string;
}

const longestShown = 120;

export function findPoison(tool: UpstreamTool, server: string, peers: readonly PeerTool[]): Suspicion[] {
  const texts = collectTexts(tool);
  return texts
    .flatMap((text) => [...findHidden(text), ...findEncoded(text), ...findWords(text)])
    .concat(findShadows(tool, server, peers));
}

function findWords(text: string): Suspicion[] {
  return [...findPatterns(text, orders, 'instructions'), ...findPatterns(text, leaks, 'data sent elsewhere')];
}

/** All texts that a model reads: also those in the schemas. */
function collectTexts(tool: UpstreamTool): string[] {
  const found: string[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (typeof value === 'string') found.push(value);
    else if (typeof value === 'object' && value !== null && depth < 50)
      for (const [key, entry] of Object.entries(value)) {
        if (!Array.isArray(value)) found.push(key);
        visit(entry, depth + 1);
      }
  };
  visit([tool.name, tool.title, tool.description, tool.inputSchema, tool.outputSchema, tool.annotations], 0);
  return found;
}

function show(text: string): string {
  return showHidden(text).replace(/\s+/g, ' ').trim().slice(0, longestShown);
}

/** Private characters have no meaning that a reader could know. */
const privateUse = /[\ue000-\uf8ff\u{f0000}-\u{10ffff}]/u;
/** Letters that look like Latin ones within a Latin word, and words that are spelled out: neither is found by its pattern. */
const disguised =
  /\p{Script=Latin}\p{Script=Cyrillic}|\p{Script=Cyrillic}\p{Script=Latin}|(?:(?<!\p{L})\p{L}[ ']+){12,}/u;

function findHidden(text: string): Suspicion[] {
  const visible = showHidden(text);
  const isHidden = visible.includes('⟦') && !text.includes('⟦');
  return isHidden || privateUse.test(text) || disguised.test(text)
    ? [{ kind: 'hidden characters', text: show(text) }]
    : [];
}

const encoded = /[A-Za-z0-9+/]{24,}={0,2}|(?:[0-9a-f]{2}){16,}/gi;
const commands =
  /\b(?:curl|wget|nc|bash|powershell|chmod|rm\s+-[rf]+|eval|exec)\b[\s\S]*(?:https?:|[|&>~/])|\/bin\/(?:ba)?sh\b|\/dev\/tcp\//i;

function findEncoded(text: string): Suspicion[] {
  for (const [run] of text.matchAll(encoded)) {
    const isHex = /^(?:[0-9a-f]{2})+$/i.test(run);
    const decoded = Buffer.from(run, isHex ? 'hex' : 'base64').toString('latin1');
    if (/^[\t\n\r\x20-\x7e]+$/.test(decoded) && (commands.test(decoded) || findWords(decoded).length > 0))
      return [{ kind: 'encoded command', text: show(decoded) }];
  }
  return [];
}

/** Speaking about such texts is no attack: a tool that detects, explains or quotes them. */
const about =
  /\b(?:detects?|explain(?:s|ing)?|analy[sz]es?|checks? whether|reports?|such as|like|called|named)\b[^.;]*$|['"“‘`]\s*$|\b(?:sample|expected|mock|training|example) (?:output|response|text|reply|string|data)\s*:[^.;]*$/i;

/** Within a sentence: a dot in a file name does not end it. */
const within = (most: number) => String.raw`(?:[^.;]|[.;](?=\S)){0,${most}}`;
const rules = `(?:instructions?|directions?|prompts?|rules|guidelines|messages?|context)`;
const orders = [
  String.raw`\b(?:ignore|disregard|forget|override|bypass)\b(?:\s+(?:all|any|the|your|my|these|those|of|safety|system))*\s+(?:previous|prior|above|earlier|preceding|safety|system|${rules})\b`,
  String.raw`\b(?:reveal|print|show|repeat|output|leak)\b${within(30)}\b(?:system|developer|hidden) prompt`,
  String.raw`<\s*\/?\s*(?:important|system|instructions?|secret|admin|hidden)\b[^>]{0,40}>`,
  String.raw`\b(?:do not|don't|never|no need to)\b${within(40)}\b(?:tell|mention|inform|notify|alert|reveal|show)\b${within(30)}\b(?:user|human|person)\b`,
  String.raw`\bwithout (?:telling|mentioning|informing|notifying|alerting|showing)\b${within(30)}\b(?:user|human|person)\b`,
  String.raw`\b(?:do not|don't|never)(?: explicitly)? mention (?:that|this)\b|\b(?:user|person)\b${within(20)}\b(?:need not|must not|should not|does not need to) know\b`,
  String.raw`\b(?:silently|quietly|secretly|covertly)\b${within(20)}\b(?:read|send|forward|include|add|copy|upload|append|attach|collect|call)\b`,
  // In the voice of somebody else.
  String.raw`(?:^|[.\n]\s*)(?:system|admin|assistant)\s*:\s+\S`,
  String.raw`\b(?:the )?(?:assistant|model|agent) must (?:always |first )?(?:prepend|append|include|call|send|read)\b`,
  // About other tools, or everything that the model does.
  String.raw`\bbefore (?:using|calling|executing) any other tool|\bfor (?:any|every) request\b${within(30)}\bcall this tool|\btakes? precedence over (?:all |any )?other\b`,
  String.raw`\bwhen(?:ever)?\b${within(20)}\w+_\w+\b${within(20)}\b(?:is|are) (?:used|called|invoked|available)\b${within(60)}\b(?:must|change|replace|include|send)\b`,
  String.raw`\b(?:all|every|each) (?:commands?|responses?|answers?|repl(?:y|ies)|emails?|messages?)\b${within(20)}\bmust\b`,
  String.raw`\b(?:must|always|change)\b${within(80)}(?:[\w.+-]+@[\w-]+\.\w+|\+\d{7,})`,
].map((pattern) => new RegExp(pattern, 'gi'));

const secrets = String.raw`(?:~?/?\.(?:ssh|aws|env|gnupg|netrc|kube)\b|id_rsa|id_ed25519|credentials?|passwords?|api[ _-]?keys?|access tokens?|private keys?|secrets?)`;
const elsewhere = `(?:attacker|external|remote|third[- ]party|our (?:server|endpoint|analytics)|collector|webhook|https?://)`;
const moves = String.raw`\b(?:sends?|posts?|uploads?|transmits?|forwards?|copy|copies|pass(?:es)?)\b`;
const privateFiles = String.raw`(?:~/\.\w+|(?<![\w/])\.env\b|id_rsa|id_ed25519|/etc/(?:passwd|shadow)|\.aws/credentials|\bthe user's (?:environment|private)\b)`;
const leaks = [
  // "Reads …" describes a tool; "read …" tells the model to.
  String.raw`\b(?:read|include|attach|paste|put|pass|collect|append|prepend)\b${within(60)}${privateFiles}`,
  String.raw`\b(?:call|pass|include|attach|forward|send|with)\b${within(40)}\b(?:full|entire|complete|whole|previous) (?:conversation|chat|message history|system prompt)\b`,
  `${secrets}${within(60)}\\b(?:include|attach|put|add)\\b(?: (?:it|them|that))?${within(30)}\\b(?:response|answer|reply|parameter|field|argument|notes?)\\b`,
  `\\b(?:include|attach)\\b${within(30)}${secrets}${within(30)}(?:\\b(?:you find|parameter|metadata)\\b)`,
  String.raw`\bexfiltrat\w+`,
  `${moves}${within(80)}\\b(?:to|at)\\b${within(40)}${elsewhere}`,
  String.raw`\breads?\b${within(60)}(?:~/\.\w+|id_rsa|/etc/passwd)${within(60)}\b(?:into|as|in)\b${within(40)}\b(?:argument|parameter|field|note)`,
  `${secrets}${within(80)}${moves}${within(60)}${elsewhere}`,
].map((pattern) => new RegExp(pattern, 'gi'));

function findPatterns(text: string, patterns: readonly RegExp[], kind: Suspicion['kind']): Suspicion[] {
  for (const pattern of patterns)
    for (const match of text.matchAll(pattern))
      if (!about.test(text.slice(0, match.index))) return [{ kind, text: show(match[0]) }];
  return [];
}

/** Share of common words from which a tool of the same name imitates another. */
const leastCopied = 0.6;
/** Shorter names of servers are ordinary words. */
const leastName = 4;
/** Names that are also ordinary words occur in any description. */
const telling = /[_-]|[a-z][A-Z]/;

function findShadows(tool: UpstreamTool, server: string, peers: readonly PeerTool[]): Suspicion[] {
  const description = tool.description ?? '';
  const words = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const own = words(description);
  const isOwn = [...words(server)].some((word) => word.length >= leastName && own.has(word));
  for (const peer of peers) {
    if (peer.server === server) continue;
    // An imitation does not say whose it is.
    const isCopy = peer.name === tool.name && !isOwn && overlap(own, words(peer.description)) >= leastCopied;
    const isNamed =
      peer.name !== tool.name &&
      telling.test(peer.name) &&
      new RegExp(`(?<![\\w-])${escapePattern(peer.name)}(?![\\w-])`).test(description);
    if (isCopy || isNamed) return [{ kind: 'other tools', text: `${peer.server}: ${show(peer.name)}` }];
  }
  return [];
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&');
}
