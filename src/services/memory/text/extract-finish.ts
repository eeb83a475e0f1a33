// Finishes a stored sentence so that it is understandable months later: removes opening words, and adds the date to a relative
// time.
import { stripLeadIn } from '../../../graph/duplicate/lead-in.ts';
import { writeDay } from '../time/calendar.ts';
import { readTimePhrase } from '../time/time-phrase.ts';

/** Opening words of spoken language. Those of the second group are often the subject, so a comma must follow. */
const openings = new RegExp(
  String.raw`^(?:(?:and|but|so|also|btw|fyi|hm+|ah+|oh|ok(?:ay)?|please|pls|actually|pero|también|et|mais|aber|und|also|а|и|но)\s*[,:;]?\s+|` +
    String.raw`(?:yes|yeah|yep|no|nope|well|right|sure|great|good|perfect|thanks|anyway|plus|however|sorry|oops|wait|by the way|in fact|in short|basically|unfortunately|of course|indeed|to be clear|for the record|one more thing|just so you know|sí|oui|ja|nein|да|нет|对|是的|不|はい|いいえ)\s*(?:[,:;.!，、。！]+\s*|\s[-–—]+\s+))`,
  'iu',
);

/** Enough for "ok so, actually, please …". */
const mostOpenings = 4;

/** The statement without a request to remember it and without opening words. */
export function stripOpening(text: string): string {
  let rest = stripLeadIn(text);
  for (let i = 0; i < mostOpenings; i++) {
    const found = openings.exec(rest)?.[0];
    if (found === undefined || rest.length - found.length < 8) break;
    rest = rest.slice(found.length);
  }
  return rest === text
    ? text
    : rest.replace(/^(?!ß)\p{Ll}(?=[\p{Ll}'’]*(?:[\s,]|$))/u, (letter) => letter.toUpperCase());
}

/** Adds the date of a relative time: "last month (2026-10)". Times with a year stay. */
export function dateRelativeTime(text: string, statedAt: number): string {
  const found = readTimePhrase(text, statedAt);
  if (!found || /\d{4}/.test(found.phrase)) return text;
  const at = text.indexOf(found.phrase);
  const { from = found.to, to } = found;
  if (at < 0 || from === undefined) return text;
  const first = writeDay(from);
  const last = to === undefined ? first : writeDay(Math.max(from, Math.min(to, statedAt) - 1));
  const isMonth = first.endsWith('-01') && first.slice(0, 7) === last.slice(0, 7) && first !== last;
  const date = isMonth ? first.slice(0, 7) : first === last ? first : `${first} to ${last}`;
  const end = at + found.phrase.length;
  // It has been given its date before.
  if (/^ \(\d{4}-/.test(text.slice(end, end + 7))) return text;
  return `${text.slice(0, end)} (${date})${text.slice(end)}`;
}
