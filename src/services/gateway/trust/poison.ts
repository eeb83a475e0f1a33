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
    .flatMap((text) => [
      ...findHidden(text),
      ...findEncoded(text),
      ...findPatterns(text, orders, 'instructions'),
      ...findPatterns(text, leaks, 'data sent elsewhere'),
    ])
    .concat(findShadows(tool, server, peers));
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

function findHidden(text: string): Suspicion[] {
  const visible = showHidden(text);
  const isHidden = visible.includes('⟦') && !text.includes('⟦');
  return isHidden || privateUse.test(text) ? [{ kind: 'hidden characters', text: show(text) }] : [];
}

const encoded = /[A-Za-z0-9+/]{24,}={0,2}|(?:[0-9a-f]{2}){16,}/gi;
const commands =
  /\b(?:curl|wget|nc|bash|powershell|chmod|rm\s+-[rf]+|eval|exec)\b[\s\S]*(?:https?:|[|&>~/])|\/bin\/(?:ba)?sh\b|\/dev\/tcp\//i;

function findEncoded(text: string): Suspicion[] {
  for (const [run] of text.matchAll(encoded)) {
    const isHex = /^(?:[0-9a-f]{2})+$/i.test(run);
    const decoded = Buffer.from(run, isHex ? 'hex' : 'base64').toString('latin1');
    if (/^[\t\n\r\x20-\x7e]+$/.test(decoded) && commands.test(decoded))
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
  String.raw`\b(?:do not|don't|never|without)\b${within(40)}\b(?:tell|mention|inform|notify|alert|reveal|show)(?:ing)?\b${within(30)}\b(?:user|human|person)\b`,
].map((pattern) => new RegExp(pattern, 'gi'));

const secrets = String.raw`(?:~?/?\.(?:ssh|aws|env|gnupg|netrc|kube)\b|id_rsa|id_ed25519|credentials?|passwords?|api[ _-]?keys?|access tokens?|private keys?|secrets?)`;
const elsewhere = `(?:attacker|external|remote|third[- ]party|our (?:server|endpoint|analytics)|collector|webhook|https?://)`;
const moves = String.raw`\b(?:sends?|posts?|uploads?|transmits?|forwards?|copy|copies|pass(?:es)?)\b`;
const leaks = [
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
/** Names that are also ordinary words occur in any description. */
const telling = /[_-]|[a-z][A-Z]/;

function findShadows(tool: UpstreamTool, server: string, peers: readonly PeerTool[]): Suspicion[] {
  const description = tool.description ?? '';
  const words = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const own = words(description);
  for (const peer of peers) {
    if (peer.server === server) continue;
    const isCopy = peer.name === tool.name && overlap(own, words(peer.description)) >= leastCopied;
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
