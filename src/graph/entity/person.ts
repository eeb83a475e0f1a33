// People: `Name <mail>` and @handles. A handle in capitals is taken for one only where a sentence addresses it, since
// annotations (@Override) and decorators look the same.
import { blot, type Draft } from './draft.ts';

const mail = /<([^\s<>@]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4})>/g;
const nameBefore = /(?:\p{Lu}[\p{L}'’.-]{0,40}[ \t]+){1,4}$/u;
const notPeople = /^(?:git|no-?reply|donotreply|notifications?|support|root|admin|info|bot)@|\[bot\]/i;
const hiddenMail = /^(?:\d+\+)?([\w-]+)@users\.noreply\.github\.com$/i;
const handle = /(?<![\w@`'"./\\-])@([A-Za-z][A-Za-z0-9]{1,38}(?:[-_][A-Za-z0-9]{1,38}){0,4})(?![\w@/(<`:=-])/g;
const addressed =
  /(?:\b(?:cc|by|with|from|to|ping|ask|asked|thanks|hey|hi|reviewers?|authors?|owners?|told|and)|,):?\s+$/i;

/** Documentation tags, annotations, CSS rules and mailing groups. */
const notHandles = new Set(
  `abstract access alias all alpha apply arg argument async augments author autoclosure autoreleasepool available base
  beta borrows brief callback catch channel charset class classmethod component config constant constructor constructs
  container copyright counter-style dataclass default defaultvalue define deprecated description desc details dynamic
  else end enum emits event everyone example exception exports extend extends external extern file fileoverview finally
  fires fixture font-face for forward function generator generic group here hideconstructor if ignore implementation
  implements import include inheritdoc injectable inline instance interface internal internals job kind latest layer
  layout lends license link linkcode linkplain listens main media member memberof method mixes mixin mixes mock module
  name namespace next nightly nonobjc objc online optional overload override package packagedocumentation page param
  parameter parametrize pass patch private privateremarks prop property protected protocol public publicapi pytest
  readonly remarks requires return returns root route satisfies scope screen sealed section see selector serial since
  skip stable staticmethod static summary supports suppress synchronized synthesize tailwind task team template test
  testable this throw throws todo ts-check ts-expect-error ts-ignore ts-nocheck tutorial try type typedef types typeparam
  use var variation version viewport virtual vue warning while yield yields`.split(/\s+/),
);

export function findPeople(draft: Draft): void {
  for (const match of draft.text.matchAll(mail)) {
    const written = nameBefore.exec(draft.text.slice(Math.max(0, match.index - 120), match.index))?.[0];
    const address = (match[1] as string).toLowerCase();
    if (!written || (notPeople.test(address) && !hiddenMail.test(address))) continue;
    const known = hiddenMail.exec(address)?.[1];
    const start = match.index - written.length;
    draft.claim('person', known ? `@${known}` : address, start, match.index + match[0].length);
  }
  for (const match of draft.text.matchAll(handle)) {
    const written = match[1] as string;
    if (notHandles.has(written.toLowerCase()) || isFollowedByDot(draft.text, match.index + match[0].length)) continue;
    const isAddressed = addressed.test(draft.text.slice(Math.max(0, match.index - 20), match.index));
    if (/^[A-Z]/.test(written) && !isAddressed) continue;
    draft.claim('person', `@${written.toLowerCase()}`, match.index, match.index + match[0].length);
  }
}

/** `@app.route` is code, `@ada.` ends a sentence. */
function isFollowedByDot(text: string, at: number): boolean {
  return text[at] === '.' && /[\w]/.test(text[at + 1] ?? '') && text[at + 1] !== blot;
}
