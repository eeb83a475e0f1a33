// Finds symbols in plain sentences by the form of a word: calls, snake_case, camelCase, paths of names. A single capitalised
// word counts only with a typical suffix of classes; `GitHub` and `McDonald` look the same.
import type { EntityDraft } from './draft.ts';
import { brands } from './words.ts';

const chain = /(?<![\w$@#/\\.`-])\$?[A-Za-z_][\w$]*(?:(?:\??\.#?|::|->)[A-Za-z_$][\w$]*)*/g;
const maxLength = 120;
const camel = /^[a-z]{2,}\d*(?:[A-Z][a-z0-9]*)+$|^[a-z](?:[A-Z][a-z]+){2,}$/;
const snake = /^_*[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+_*$/;
const notSnake = /^(?:[a-z]{2,3}_[A-Z]{2}|x86_64|_.*_)$/;
const dunder =
  /^__(?:init|main|dirname|filename|name|proto|call|str|repr|eq|hash|len|iter|next|enter|exit|getitem|setitem|new|del|dict|doc|file|all|version|typename|post_init|getattr|setattr|class|slots)__$/;
const classLike =
  /^(?:[A-Z][a-z0-9]+)+(?:Service|Controller|Manager|Factory|Provider|Client|Server|Handler|Component|Repository|Store|Registry|Builder|Adapter|Context|Config|Options|Props|Listener|Request|Response|Parser|Loader|Model|View|Middleware|Plugin|Schema|Module|Wrapper|Iterator|Visitor|Serializer|Validator|Resolver|Router|Scheduler|Worker|Queue|Cache|Boundary|Observer|Transport|Stream|Reader|Writer)s?$/;
/** Objects whose members are always code. */
const knownRoots = new Set(
  `Promise Array Object Math JSON Date String Number Symbol Reflect Proxy Map Set Buffer React process console window
  document navigator globalThis fs path os module self this np pd plt torch tf sys asyncio util crypto http https`.split(
    /\s+/,
  ),
);
const website = /\.(?:com|org|net|io|dev|ai|co|app|edu|gov|js|html?|php)$/i;

export function findSymbols(draft: EntityDraft): void {
  const { text } = draft;
  for (const match of text.matchAll(chain)) {
    const written = match[0];
    if (written.length > maxLength || written.length < 2) continue;
    const end = match.index + written.length;
    // Most words end here.
    if (text[end] !== '(' && /^[A-Z]?[a-z]+$/.test(written)) continue;
    const calls = text[end] === '(' && /\S/.test(text[end + 1] ?? '');
    const callsEmpty = calls && text[end + 1] === ')';
    if (!isSymbol(written, calls, callsEmpty)) continue;
    draft.claim('symbol', normaliseSymbol(written), match.index, callsEmpty ? end + 2 : end);
  }
}

function isSymbol(written: string, calls: boolean, callsEmpty: boolean): boolean {
  const parts = written.split(/\??\.#?|::|->/);
  if (parts.length === 1) {
    if (callsEmpty) return !isStatement(written);
    return isCodeWord(written) || classLike.test(written);
  }
  if (written.includes('::')) return parts.every((part) => part.length > 1);
  const hasCodeWord = parts.some(isCodeWord) || written.includes('.#');
  if (written.includes('->')) return calls || hasCodeWord || written.startsWith('$');
  if (calls) return !parts.every((part) => part.length < 2);
  if (website.test(written)) return false;
  return (hasCodeWord && parts.every((part) => part.length > 1)) || knownRoots.has(parts[0] as string);
}

function isCodeWord(word: string): boolean {
  if (brands.has(word)) return false;
  return camel.test(word) || dunder.test(word) || (snake.test(word) && !notSnake.test(word));
}

/** Look like calls, but are keywords or placeholder names. */
export function isStatement(word: string): boolean {
  return /^(?:if|for|while|switch|catch|function|return|typeof|new|with|super|import|require|constructor|foo|bar|baz)$/.test(
    word,
  );
}

/** `this.a?.b()`, `$this->a->b` and `a.b` are equal; so are `Class#method` and `Class.prototype.method`. */
export function normaliseSymbol(written: string): string {
  return written
    .replace(/\?\.|->/g, '.')
    .replace(/^\$?(?:this|self)\./, '')
    .replace(/\.prototype\./, '.')
    .replace(/(?<=[\w$])#(?=\w)/, '.');
}
