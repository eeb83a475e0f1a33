// The last touch on a sentence that is kept, so that it stands alone months later: the words that only open it go, and a
// relative time gets its date.
import { stripLeadIn } from '../../../graph/duplicate/lead-in.ts';
import { writeDay } from '../time/calendar.ts';
import { readTimePhrase } from '../time/time-phrase.ts';

/** Said to open a sentence in the flow of talk. Those of the second group are often its subject, so a comma must follow. */
const openings = new RegExp(
  String.raw`^(?:(?:and|but|so|also|btw|fyi|hm+|ah+|oh|ok(?:ay)?|please|pls|actually|pero|también|et|mais|aber|und|also|а|и|но)\s*[,:;]?\s+|` +
    String.raw`(?:yes|yeah|yep|no|nope|well|right|sure|great|good|perfect|thanks|anyway|plus|however|sorry|oops|wait|by the way|in fact|in short|basically|unfortunately|of course|indeed|to be clear|for the record|one more thing|just so you know|sí|oui|ja|nein|да|нет|对|是的|不|はい|いいえ)\s*(?:[,:;.!，、。！]+\s*|\s[-–—]+\s+))`,
  'iu',
);

/** Enough for "ok so, actually, please …". */
const mostOpenings = 4;

/** The statement itself, without a request to remember it and without what only opens it. */
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

/** "last month" as it was meant when it was said: "last month (2026-10)". Times with a year of their own stay. */
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
