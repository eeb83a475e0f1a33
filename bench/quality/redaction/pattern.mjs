// Reads the source of a regular expression into a tree, as far as the secret rules use the syntax: enough to bound the
// characters a pattern can look at, and to write texts that nearly match it. For speed.mjs and the test of the rules.

/** @typedef {{ type: 'set', has: boolean[] }} SetNode one character; `has` by code below 128 */
/** @typedef {{ type: 'list', items: Node[] }} ListNode */
/** @typedef {{ type: 'either', items: Node[] }} EitherNode */
/** @typedef {{ type: 'repeat', item: Node, least: number, most: number, source: string }} RepeatNode */
/** @typedef {{ type: 'look', item: Node, negative: boolean, behind: boolean }} LookNode */
/** @typedef {SetNode | ListNode | EitherNode | RepeatNode | LookNode} Node */

const ascii = 128;
const word = /\w/;

/** @param {RegExp} pattern @returns {Node} */
export function readPattern(pattern) {
  const { source, ignoreCase } = pattern;
  let at = 0;

  /** @returns {Node} */
  function readEither() {
    const items = [readList()];
    while (source[at] === '|') {
      at++;
      items.push(readList());
    }
    return items.length === 1 ? /** @type {Node} */ (items[0]) : { type: 'either', items };
  }

  /** @returns {Node} */
  function readList() {
    /** @type {Node[]} */
    const items = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') items.push(readRepeat());
    return { type: 'list', items };
  }

  /** @returns {Node} */
  function readRepeat() {
    const from = at;
    const item = readAtom();
    const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at, at + 16));
    if (!found) return item;
    at += found[0].length;
    const [, sign, count, comma, limit] = found;
    const least = count ? Number(count) : sign === '+' ? 1 : 0;
    const most = sign === '?' ? 1 : comma === '' ? least : limit ? Number(limit) : Number.POSITIVE_INFINITY;
    return { type: 'repeat', item, least, most, source: source.slice(from, at) };
  }

  /** @returns {Node} */
  function readAtom() {
    const sign = source[at];
    if (sign === '(') return readGroup();
    if (sign === '^' || sign === '$') {
      at++;
      return { type: 'list', items: [] };
    }
    const from = at;
    if (sign === '[') {
      at++;
      while (source[at] !== ']') at += source[at] === '\\' ? 2 : 1;
      at++;
    } else if (sign === '\\') at += source[at + 1] === 'u' ? 6 : source[at + 1] === 'x' ? 4 : 2;
    else at++;
    return makeSet(source.slice(from, at), ignoreCase);
  }

  /** @returns {Node} */
  function readGroup() {
    const [head, name] = /** @type {RegExpExecArray} */ (/^\((?:\?(:|<?[=!]))?/.exec(source.slice(at, at + 4)));
    at += head.length;
    const item = readEither();
    at++;
    if (name === undefined || name === ':') return item;
    return { type: 'look', item, negative: name.endsWith('!'), behind: name.startsWith('<') };
  }

  return readEither();
}

/** @param {string} source @param {boolean} anyCase @returns {SetNode} */
function makeSet(source, anyCase) {
  const one = new RegExp(`^(?:${source})$`, anyCase ? 'i' : '');
  return { type: 'set', has: Array.from({ length: ascii }, (_, code) => one.test(String.fromCharCode(code))) };
}

/**
 * The most characters a match can look at: those it takes and those a look-around reads beyond; Infinity where there is no
 * bound.
 * @param {Node} node
 */
export function widthOf(node) {
  return takenOf(node) + lookOf(node);
}

/** @param {Node} node @returns {number} */
function takenOf(node) {
  switch (node.type) {
    case 'set':
      return 1;
    case 'list':
      return node.items.reduce((sum, item) => sum + takenOf(item), 0);
    case 'either':
      return Math.max(...node.items.map(takenOf));
    case 'repeat':
      return node.most === 0 ? 0 : takenOf(node.item) * node.most || 0;
    case 'look':
      return 0;
  }
}

/** @param {Node} node @returns {number} */
function lookOf(node) {
  if (node.type === 'set') return 0;
  if (node.type === 'look') return widthOf(node.item);
  return Math.max(0, ...(node.type === 'repeat' ? [node.item] : node.items).map(lookOf));
}

/** Every repetition in it, with whether anything can follow it. @param {Node} node @param {boolean} last @returns {{ repeat: RepeatNode, last: boolean }[]} */
export function listRepeats(node, last = true) {
  switch (node.type) {
    case 'set':
      return [];
    case 'list':
      return node.items.flatMap((item, i) => listRepeats(item, last && i === node.items.length - 1));
    case 'either':
      return node.items.flatMap((item) => listRepeats(item, last));
    case 'repeat':
      return [{ repeat: node, last }, ...listRepeats(node.item, false)];
    case 'look':
      return listRepeats(node.item, false);
  }
}

/** The characters that can stand anywhere in a match. @param {Node} node @returns {boolean[]} */
export function charactersOf(node) {
  if (node.type === 'set') return node.has;
  if (node.type === 'look') return Array(ascii).fill(false);
  const parts = (node.type === 'repeat' ? [node.item] : node.items).map(charactersOf);
  return Array.from({ length: ascii }, (_, code) => parts.some((part) => part[code]));
}

/** The characters that a match can begin with. @param {Node} node @returns {boolean[]} */
export function firstOf(node) {
  if (node.type === 'set') return node.has;
  if (node.type === 'repeat') return firstOf(node.item);
  const first = Array(ascii).fill(false);
  if (node.type === 'look') return first;
  for (const item of node.items) {
    for (const [code, has] of firstOf(item).entries()) first[code] ||= has;
    if (node.type === 'list' && !isOptional(item)) break;
  }
  return first;
}

/** @param {Node} node @returns {boolean} */
export function isOptional(node) {
  if (node.type === 'set') return false;
  if (node.type === 'look') return true;
  if (node.type === 'repeat') return node.least === 0 || isOptional(node.item);
  return node.type === 'list' ? node.items.every(isOptional) : node.items.some(isOptional);
}

/** The longest text that matches, as far as look-arounds allow; `liked` are the characters to prefer. @param {Node} node @param {string} liked @param {number} branch @returns {string} */
export function writeMatch(node, liked, branch = 0) {
  switch (node.type) {
    case 'set':
      return pick(node.has, liked);
    case 'list':
      return node.items.map((item) => writeMatch(item, liked, branch)).join('');
    case 'either':
      return writeMatch(/** @type {Node} */ (node.items[branch % node.items.length]), liked, branch);
    case 'repeat': {
      const count = Math.min(node.most, Math.max(node.least, 400));
      return writeMatch(node.item, liked, branch).repeat(count);
    }
    case 'look':
      return '';
  }
}

/** @param {boolean[]} has @param {string} liked */
function pick(has, liked) {
  for (const sign of liked) if (has[sign.charCodeAt(0)]) return sign;
  const code = has.findIndex((yes, i) => yes && word.test(String.fromCharCode(i)));
  return String.fromCharCode(code >= 0 ? code : has.indexOf(true));
}
