// Finds entities in backticks, which mark code. A dashed name is a package, an identifier a symbol.
import { blot, type EntityDraft } from './draft.ts';
import { isStatement, normaliseSymbol } from './symbol.ts';
import { languageWords } from './words.ts';

const ticked = /`([^`\n]{1,200})`/g;
const declaration =
  /^(?:export |async |static |public |private |pub |new |await |function |def |fn |func |class |interface |type |const |let |var |struct |enum |trait |impl |@(?=[A-Z])){1,3}/;
const identifier =
  /^[&*!]?(#?[A-Za-z_$][\w$]*(?:(?:\??\.#?|::|->|#)[A-Za-z_$][\w$]*){0,8})(?:<[^<>]{0,60}>)?(\([^)]{0,160}\))?(?:\[\])?[;!?]?$/;
const dashed = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/;
const colour = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const site = /^[a-z0-9-]+\.(?:com|org|net|io|dev|ai|co|app|js)$/;

/** Dashed names that are headers, styles, branches and so on, not packages. */
const notPackages =
  /^(?:utf|iso|windows|latin|us|eu|ap|sha\d*|aes|x|content|accept|cache|access|user|max|min|font|flex|grid|border|margin|padding|background|text|no|aria|data|is|has|non|read|write|feature|fix|feat|hotfix|release|bugfix|chore|wip|line|align|justify|display|position|inline|kebab|pre|post|set|if|dry|on|off)-/;
const otherThings =
  /\b(?:branch(?:es)?|rules?|flags?|headers?|options?|class(?:es)?|labels?|tags?|jobs?|stages?|elements?|propert(?:y|ies)|attributes?|events?|keys?|fields?|values?|commands?|slug|id)\b/i;
const packageWords =
  /\b(?:package|library|crate|gem|module|dependency|npm):? (?=\n)|\n (?:packages?|librar(?:y|ies)|crates?|gems?|module|dependency)\b/i;

export function findTicked(draft: EntityDraft): void {
  for (const match of draft.text.matchAll(ticked)) {
    const content = (match[1] as string).trim();
    if (content.includes(blot)) continue;
    const start = match.index + match[0].indexOf(content);
    const end = start + content.length;
    const around = `${draft.text.slice(Math.max(0, match.index - 14), match.index)}\n${wordAfter(draft.text, end + 1)}`;
    if (dashed.test(content)) {
      const isOther = notPackages.test(content) || otherThings.test(around);
      if (packageWords.test(around) || !isOther) draft.add('package', content, start, end);
      draft.hide(start, end);
    } else if (packageWords.test(around) && /^[a-z][a-z0-9_.]+$/.test(content)) {
      if (!languageWords.has(content)) draft.claim('package', content, start, end);
    } else claimIdentifier(draft, content, start, end);
  }
}

function claimIdentifier(draft: EntityDraft, content: string, start: number, end: number): void {
  const match = identifier.exec(content.replace(declaration, ''));
  const written = match?.[1] ?? '';
  const isCall = match?.[2] !== undefined;
  if (written === '' || colour.test(written) || (!isCall && site.test(written))) return;
  if (isCall ? isStatement(written) : languageWords.has(written.toLowerCase())) return;
  const name = normaliseSymbol(written);
  if (name.length < (isCall ? 2 : 3)) return;
  draft.claim('symbol', name, start, end);
}

function wordAfter(text: string, from: number): string {
  return /^ [a-z]+/.exec(text.slice(from, from + 16))?.[0] ?? '';
}
