// A sentence for the rules: in lower case, without emphasis and opening words.

export interface Clause {
  /** As written, without emphasis marks and label. */
  text: string;
  /** In lower case with plain apostrophes, without the opening. */
  low: string;
  /** The removed opening: "no, ", "ok so ", "by the way, ". */
  opening: string;
  tokens: string[];
  /** Whether the statement follows a name and a colon. */
  named: boolean;
}

const openings =
  /^(?:(?:ok(?:ay)?|yes|yeah|yep|no|nope|nah|well|so|and|but|also|oh|ah|hmm+|hm|right|alright|great|good|perfect|nice|cool|awesome|sure|thanks|thank you|actually|btw|by the way|fyi|anyway|plus|however|still|then|besides|additionally|furthermore|in addition|for the record|just so you know|to be clear|one more thing|sorry|oops|wait|in fact|in short|basically|honestly|unfortunately|fortunately|luckily|interestingly|generally|usually|of course|indeed|more importantly|importantly)(?:[,:;.!]+\s*|\s+[-–—]+\s+)|(?:and|but|so|also|btw|fyi|oh|ok|okay|yeah|plus|then)\s+)/;

/** "**Name**: …" and "`file` - …": the statement follows. */
const label =
  /^(?:\*\*[^*\n]{1,80}\*\*|`[^`\n]{1,120}`)(?:\s*\([^()\n]{1,60}\))?\s*(?::|[-–—]|→|->)\s+|^\*\*[^*\n]{1,60}:\*\*\s+/;

export function readClause(sentence: string): Clause {
  const named = (label.exec(sentence)?.[0] ?? '').includes(':');
  const text = sentence
    .replace(label, '')
    .replace(/(\*\*|__)(?=\S)/g, '')
    .replace(/(?<=\S)(\*\*|__)/g, '');
  let low = text.toLowerCase().replace(/[‘’]/g, "'").replace(/\s+/g, ' ').trim();
  const whole = low;
  for (let i = 0; i < 3; i++) {
    const opening = openings.exec(low)?.[0];
    if (opening === undefined || opening.length === low.length) break;
    low = low.slice(opening.length);
  }
  return { text, low, opening: whole.slice(0, whole.length - low.length), tokens: tokensOf(low), named };
}

function tokensOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_.'’/@:%#+-]*/gu) ?? []).map((token) =>
    token.replace(/’/g, "'").replace(/[.:'/,-]+$/, ''),
  );
}
