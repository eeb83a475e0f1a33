// Texts that are hard on a reader, as units to repeat: what starts a structure and does not end it, what ends lines, what
// patterns look for.

/** @type {readonly string[]} */
const units = [
  'a',
  'a ',
  ' ',
  '\t',
  '\n',
  'a\n',
  'ab cd\n\n',
  'a:b:',
  'a.b.',
  'a. ',
  'Use tabs. ',
  'a/b/',
  'src/a/b.ts:1 ',
  '../',
  '1',
  '1.2.',
  '2026-01-01T00:00:00Z ERROR x\n',
  '[',
  ']',
  '{"a":',
  '[{"role":"user","content":"I prefer tabs."},',
  '"',
  "'",
  '\\',
  '\\n',
  '`',
  '```\n',
  '# h\n',
  '- x\n',
  '> ',
  '| a ',
  '| a | b |\n|---|---|\n',
  '---\n',
  '<a',
  '<!--',
  '<div>',
  '&amp;',
  '&#',
  '![',
  '[a](',
  '](',
  '*a*',
  '_a',
  'http://a.b/',
  'a@b.c ',
  '://a:b',
  'user: x\nassistant: y\n',
  'Human: I always use pnpm.\n',
  'Error: x\n',
  '    at f (/a/b.js:1:2)\n',
  'Traceback (most recent call last):\n  File "a.py", line 1, in f\n',
  'TypeError: Cannot read properties of undefined\n',
  'E0001',
  'xoxb-',
  'eyJ-',
  ':_password ',
  'password: "',
  'password:a',
  'passcode ',
  'token=',
  'ops_eyJ///////',
  'AAAAAAAAAAAAAAAAAAAAA%',
  'AGE-SECRET-KEY-1="a1B2',
  '-----BEGIN RSA PRIVATE KEY-----\n',
  'the password is the token of the key ',
  'PIN 4821 ',
  'DB_PASSWORD=q7Zk2mXv\n',
  'пароль 密码是パスワード',
  'é',
  '漢字',
  '😀',
  'e\u0301',
  '\u200b',
  '\u202e',
  '[redacted:jwt]',
  '</lore-data-1>',
  'not never no ',
  'we decided to use postgres because ',
  'always use x instead of y, ',
  'foo(bar, ',
  'A_B_C-d.e',
  'n_0000000000',
];

/** Runs that something precedes or follows, as patterns with an end read them again from each place. `…` is the run. */
const framed = ['x… x', '# a…x', '- a…x', 'a: …x', '"a…x', '[a](…x', '{"a": "…x"}', 'Error: a…x', '<a b="…x'];
const runs = [' ', '\t', '#', '-', '*', '.', '\n', '\\', '/', '_', 'a', '1', 'a ', ', '];

/** Every text as what repeats and what frames it. @type {readonly string[]} */
export const texts = [...units, ...framed.flatMap((frame) => runs.map((run) => frame.replace('…', `…${run}…`)))];

/** @param {string} text @param {number} length */
export function fill(text, length) {
  const [head = '', run = text, tail = ''] = text.includes('…') ? text.split('…') : ['', text, ''];
  const rest = Math.max(0, length - head.length - tail.length);
  return (head + run.repeat(Math.ceil(rest / run.length)).slice(0, rest) + tail).slice(0, length);
}
