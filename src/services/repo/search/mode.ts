// Chooses the search mode by the form of a query: quoted text or code is literal, a single name is a symbol, words are a question.

export const modes = ['auto', 'literal', 'regex', 'symbol', 'semantic'] as const;

export interface Choice {
  /** `name`: its definitions, then other occurrences. */
  mode: 'literal' | 'regex' | 'symbol' | 'semantic' | 'name';
  query: string;
}

const quotes = /^(["'`])([^\n]+)\1$/;
const name = /^[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*[!?]?$/;
const regexMarks = /\\[wdsbWDSB]|\.[*+]|\[\^?[^\]]+\][*+?]|^\^|\$$|\([^)]*\|[^)]*\)|^[\w.]+(?:\|[\w.]+)+$/;
const codeMarks = /[(){}[\];=<>|&*$@\\]|->|::|[\w)]\.[a-z_]\w*|\/\w|\w_\w|^[#.-]\w/;
const word = /^["'(]*\p{L}[\p{L}\p{N}'’/-]*(?:\(\))?["'),.?!:;]*$/u;

const longest = 300;

export function chooseMode(query: string): Choice {
  const text = query.trim();
  const quoted = quotes.exec(text)?.[2];
  if (quoted !== undefined) return { mode: 'literal', query: quoted };
  if (name.test(text)) return { mode: 'name', query: text };
  if (text.includes('\n')) return { mode: 'semantic', query: text };
  const words = text.split(/\s+/);
  // No name or pattern is that long, and looking for its marks would take long.
  if (text.length > longest) return { mode: words.length > 3 ? 'semantic' : 'literal', query: text };
  // A question may name code; it is still a question.
  const plain = words.filter((one) => word.test(one)).length;
  if (plain >= 3 && plain >= words.length * 0.6) return { mode: 'semantic', query: text };
  if (regexMarks.test(text) && isRegex(text)) return { mode: 'regex', query: text };
  if (codeMarks.test(text) || words.length === 1) return { mode: 'literal', query };
  return { mode: 'semantic', query: text };
}

function isRegex(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
