// Finds secrets in Markdown tables, in columns that are named like a secret, and card numbers after their name.
import { defineRule, type Range } from './rule.ts';
import { rateValue } from './shape.ts';
import { isRandom } from './words.ts';

const passwordColumn =
  /passwor[dt]|passwd|passphrase|kennwort|contraseña|mot de passe|senha|пароль|密码|パスワード|비밀번호/i;
const secretColumn = /secret|token|api[ _-]?key|access[ _-]?key/i;

/** Characters of a table that are read. */
const mostRows = 200;
const longestRow = 2_000;

/** After the line of dashes of every table: its header is in the line before. */
function findInTable(text: string, from: number): Range[] {
  const lineStart = text.lastIndexOf('\n', from - 1);
  const headStart = text.lastIndexOf('\n', lineStart - 1);
  if (lineStart < 0 || lineStart - headStart > longestRow) return [];
  const head = text.slice(headStart + 1, lineStart);
  if (!passwordColumn.test(head) && !secretColumn.test(head)) return [];
  const heads = head.split('|');
  const judges = heads.map((name) => {
    if (name.length > 40) return undefined;
    if (passwordColumn.test(name)) return (value: string) => rateValue(value) !== 'none';
    return secretColumn.test(name) ? (value: string) => isRandom(value, 16) : undefined;
  });
  if (!judges.some((judge) => judge)) return [];
  const found: Range[] = [];
  let start = text.indexOf('\n', from) + 1;
  for (let row = 0; row < mostRows && start > 0 && start < text.length; row++) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    // The next line of dashes begins another table, which is read separately.
    if (end - start > longestRow || !/^[ \t]*\|[ \t]*(?!:?--)/.test(text.slice(start, start + 20))) break;
    found.push(...findInRow(text.slice(start, end), start, judges));
    start = end + 1;
  }
  return found;
}

function findInRow(row: string, start: number, judges: readonly (((value: string) => boolean) | undefined)[]): Range[] {
  const found: Range[] = [];
  let at = start;
  for (const [column, cell] of row.split('|').entries()) {
    const value = cell.replace(/^[\s`*"']+|[\s`*"']+$/g, '');
    const from = at + cell.indexOf(value);
    if (judges[column]?.(value)) found.push([from, from + value.length]);
    at += cell.length + 1;
  }
  return found;
}

/** Luhn's check, which nine of ten invented numbers fail; excludes the test numbers of payment services. */
function isCard(value: string): boolean {
  const digits = value.replace(/\D/g, '');
  if (digits.length < 13 || digits.length > 19 || testCards.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const testCards = /^(?:4242|4111|40000|5555|51051|2223|37828|37144|3056|3852|6011[10]|3530|6200|0{4})|(\d)\1{7}/;

export const listTableRules = () => [
  defineRule({
    id: 'secret',
    description: 'A secret in a column of a Markdown table',
    keywords: ['|--', '| --', '|:-', '| :-'],
    inside: true,
    pattern: /(?<=\n[ \t]{0,8})\|[ \t]{0,4}:?-{2,200}/dy,
    find: findInTable,
  }),
  defineRule({
    id: 'card-number',
    description: 'The number of a payment card behind its name',
    keywords: ['card', 'karte', 'tarjeta', 'carte', 'visa', 'amex'],
    anyCase: true,
    inside: true,
    pattern:
      /(?:card|karte|tarjeta|carte|visa|amex)[^\n\d]{0,24}([3-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{1,7}|3\d{3}[ -]?\d{6}[ -]?\d{5})(?![\d-])/diy,
    check: isCard,
  }),
];
