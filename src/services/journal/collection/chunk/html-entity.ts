// Character references in HTML: numbers, and the names that texts use.

/** Names and their characters. */
const characters = `
  amp& lt< gt> quot" apos' ndash– mdash— minus− hellip… lsquo‘ rsquo’ sbquo‚ ldquo“ rdquo” bdquo„ laquo« raquo» lsaquo‹
  rsaquo› bull• middot· copy© reg® trade™ deg° para¶ sect§ dagger† times× divide÷ plusmn± le≤ ge≥ ne≠ asymp≈ infin∞
  microµ frac12½ frac14¼ sup2² sup3³ larr← rarr→ uarr↑ darr↓ harr↔ rArr⇒ check✓ euro€ pound£ yen¥ cent¢ iexcl¡ iquest¿
  lbrack[ rbrack] lbrace{ rbrace} lpar( rpar) num# colon: comma, period. sol/ ast* vert| szligß aeligæ AEligÆ oslashø
  OslashØ aringå AringÅ`;

const named: ReadonlyMap<string, string> = new Map([
  ...characters
    .trim()
    .split(/\s+/)
    .map((pair): [string, string] => [pair.slice(0, -1), pair.slice(-1)]),
  ...['nbsp', 'ensp', 'emsp', 'thinsp'].map((name): [string, string] => [name, ' ']),
  ...['shy', 'zwj', 'zwnj'].map((name): [string, string] => [name, '']),
  ['bsol', '\\'],
  ['grave', '`'],
  ['newline', '\n'],
  ['tab', '\t'],
]);

/** `eacute` and its like: a letter and the mark on it. */
const marks: Record<string, string> = {
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  uml: '\u0308',
  tilde: '\u0303',
  cedil: '\u0327',
  caron: '\u030c',
};

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,31}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return decodeName(name) ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const isCharacter = point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    return isCharacter ? String.fromCodePoint(point) : '\ufffd';
  });
}

function decodeName(name: string): string | undefined {
  const character = named.get(name);
  if (character !== undefined) return character;
  const mark = Object.hasOwn(marks, name.slice(1)) ? marks[name.slice(1)] : undefined;
  return mark === undefined ? undefined : `${name[0]}${mark}`.normalize('NFC');
}
