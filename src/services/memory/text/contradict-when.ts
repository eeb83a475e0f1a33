// Finds where a statement says since when it holds: "in May", "since 2025-03-01", "last week", "as of v3". Which date that
// is, is for others to say.

interface PhrasePlace {
  text: string;
  start: number;
  end: number;
}

const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const day = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const date = String.raw`(?:\d{4}-\d\d(?:-\d\d)?|\d{4}/\d\d?/\d\d?|\d{1,2}[./]\d{1,2}[./]\d{2,4}|(?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? ${month}(?:,? \d{4})?|${month} \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?|${month}(?: (?:of )?\d{4})?|q[1-4](?: \d{4})?|(?:19|20)\d\d|(?:spring|summer|autumn|fall|winter)(?: (?:of )?\d{4})?)`;
const unit = '(?:hour|day|night|week|weekend|month|quarter|year|sprint|spring|summer|autumn|fall|winter|release)';
const count = String.raw`(?:\d{1,3}|a|an|one|two|three|four|five|six|seven|eight|nine|ten|a few|a couple of|several)`;
const version = String.raw`(?:v\d+(?:\.\d+)*|(?:version|release) \d+(?:\.\d+)*|\d+(?:\.\d+)+)`;

const shapes = [
  // A month alone is one only when written so, or "may" the verb would be May.
  String.raw`\b(?:since|as of|from|starting(?: from| on| in| with)?|effective|beginning(?: in| on| with)?) (?:the )?(?:last |this )?(?:${date}|${version}|${day}|yesterday|today|now on|this ${unit}|last ${unit}|${unit})\b(?! to\b)`,
  String.raw`\bsince (?:the|our|we|v)[ \w.-]{2,40}?(?=[,.;]|$)`,
  String.raw`\b(?:in|on|during|by|with|at) (?:the )?(?:early |mid |late |end of |beginning of |start of )?${date}\b`,
  String.raw`\b(?:last|this) (?:${unit}|${month}|${day}|morning|afternoon|evening)\b`,
  String.raw`\b(?:on|last) ${day}\b(?!s)`,
  String.raw`\b(?:yesterday|today|(?:this|earlier this) (?:morning|week|month|year)|the other day)\b`,
  String.raw`\b${count} ${unit}s? ago\b`,
  String.raw`\b(?:in|with|as of) ${version}\b`,
];
const finder = new RegExp(shapes.map((shape) => `(?:${shape})`).join('|'), 'gi');
const reach = 2_000;

export function movedWhen(text: string): PhrasePlace | undefined {
  return findMoments(text)[0];
}

/** Every phrase that says when, in the order of the text. */
export function findMoments(text: string): PhrasePlace[] {
  const places: PhrasePlace[] = [];
  for (const found of text.slice(0, reach).matchAll(finder)) {
    const phrase = found[0].trimEnd();
    if (isVerb(phrase, text.slice(found.index + phrase.length, found.index + phrase.length + 3))) continue;
    places.push({ text: phrase, start: found.index, end: found.index + phrase.length });
  }
  return places;
}

/** "may" and "march" in small letters are months only where the phrase ends what is said. */
function isVerb(phrase: string, rest: string): boolean {
  return (
    /\b(?:may|march)$/.test(phrase) &&
    !(/^(?:since|in|from|last|as of)\b/i.test(phrase) && /^\s*(?:[,.;:!)]|$)/.test(rest))
  );
}
