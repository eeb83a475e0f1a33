// The definitions of a file and their ranges, from its lines alone: for a file that is not indexed yet. Indentation gives the
// end of a definition, also in languages with braces.

export interface Outlined {
  name: string;
  /** Lines, counted from 1, both included. */
  start: number;
  end: number;
  /** How far it is indented. */
  depth: number;
}

const ecma =
  /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\s*\*?|class|interface|type|enum|namespace)\s+([\w$]+)|^\s*(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\(|[\w$]+\s*=>|class\b|React\.)|^\s+(?:(?:public|private|protected|static|readonly|async|override|get|set)\s+)*\*?(#?[\w$]+)\s*(?:<[^>]*>)?\([^;]*\{\s*$|^(?:[\w$]+\.)+([\w$]+)\s*=\s*(?:async\s*)?(?:function\b|\(|class\b)/;
const typed =
  /^\s*(?:(?:public|private|protected|internal|static|final|abstract|sealed|readonly|partial|open|data|inline|suspend|override|virtual|async|default|synchronized|native|extern|unsafe|const|export)\s+)*(?:class|interface|enum|record|trait|object|struct|fun|function|namespace)\s+&?(\w+)|^\s+(?:@\w+\s+)*(?:(?:public|private|protected|internal|static|final|abstract|synchronized|native|override|virtual|async|default)\s+)*(?:<[^>]+>\s*)?[\w<>[\],.?]+\s+(\w+)\s*\([^;]*$/;
const native =
  /^(?:#\s*define\s+|(?:typedef\s+)?(?:struct|enum|union|class|namespace)\s+)(\w+)|^(?:[A-Za-z_][\w\s*&:<>,~]*?[\s*&])?(?:\w+::)*(~?\w+)\s*\([^;]*$/;

const patterns: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:py|pyi|pyx)$/, /^\s*(?:async\s+)?(?:def|class|cdef|cpdef)\s+(\w+)/],
  [/^(?:[cm]?[jt]sx?|vue|svelte)$/, ecma],
  [/^go$/, /^(?:func\s+(?:\([^)]*\)\s*)?|type\s+)(\w+)/],
  [
    /^rs$/,
    /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?(?:const\s+)?(?:async\s+)?(?:unsafe\s+)?(?:extern\s+"[^"]*"\s+)?(?:fn|struct|enum|trait|mod|union|type|macro_rules!)\s+(\w+)|^\s*impl\b(?:<[^>]*>)?\s+(?:[\w:<>, ']+\s+for\s+)?(?:\w+::)*(\w+)/,
  ],
  [/^(?:java|kt|kts|scala|cs|php|swift|groovy)$/, typed],
  [/^(?:c|h|cc|cpp|cxx|hpp|hh|m|mm|y|inc)$/, native],
  [/^(?:rb|rake)$/, /^\s*(?:def|class|module)\s+(?:self\.)?(?:\w+::)*([\w?!=]+)/],
];

const notNames = new Set(['if', 'for', 'while', 'switch', 'catch', 'return', 'else', 'new', 'throw', 'sizeof', 'do']);

export function outline(path: string, text: string): Outlined[] {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const pattern = patterns.find(([extensions]) => extensions.test(extension))?.[1];
  if (!pattern) return [];
  const found: Outlined[] = [];
  const open: Outlined[] = [];
  let lastFull = 0;
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    const depth = line.search(/\S/);
    if (depth < 0) continue;
    const closes = /^\s*(?:[})\]]|end\b)/.test(line);
    while (open.length > 0 && depth <= (open.at(-1) as Outlined).depth && !isGoingOn(line)) {
      (open.pop() as Outlined).end = closes ? at + 1 : lastFull;
      if (closes) break;
    }
    lastFull = at + 1;
    // A line that long is data.
    const match = line.length > 240 ? null : pattern.exec(line);
    const name = match?.slice(1).find((part) => part !== undefined);
    if (name === undefined || notNames.has(name)) continue;
    const one = { name, start: at + 1, end: at + 1, depth };
    found.push(one);
    open.push(one);
  }
  for (const one of open) one.end = lastFull;
  return found;
}

/** Lines at the definition's own depth: its opening brace, and the rest of its parameters. */
function isGoingOn(line: string): boolean {
  return /^\s*(?:\{|\)\s*(?:->|:|\{)|#\s*(?:if|else|endif))/.test(line);
}
