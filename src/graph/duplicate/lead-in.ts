// Removes words that ask to remember a statement: "Please remember: X" means X.

const politeness = String.raw`(?:(?:please|pls|ok(?:ay)?|hey|also|and|bitte|por favor|s'il te pla[iî]t|пожалуйста)[,!]?\s+)*`;
/** Must be followed by a colon, a comma or a word for "that": "remember the milk" is a statement of its own. */
const requests = [
  String.raw`(?:always |do )?(?:remember|memori[sz]e|note|take note|keep in mind|bear in mind|(?:don't|do not) forget)(?: (?:this|for later|the following|please))*(?: that\b|\s?[:,])`,
  String.raw`(?:fyi|nb|n\.b\.|note to self|for the record|for (?:future|later) reference|reminder)\s?[:,]`,
  String.raw`(?:merke? dir|notiere|beachte|denke? daran|zur erinnerung)(?: bitte)?\s?:`,
  String.raw`(?:recuerda|ten en cuenta|anota|rappelle-toi|souviens-toi|retiens|lembre-se(?: de)?|ricorda)(?: qu?e\b| che\b|\s?:)`,
  String.raw`(?:запомни(?:те)?|имей(?:те)? в виду)(?:,? что\b|\s?:)`,
  String.raw`(?:请)?记住\s?[:：,，]|覚えて(?:おいて)?(?:ください)?\s?[:：、。]|تذك[ّ]?ر(?: أن| أنّ)?\s?:`,
];
const leadIn = new RegExp(`^\\s*(?:[-*•]\\s+)?${politeness}(?:${requests.join('|')})\\s*`, 'iu');

/** The statement alone; the whole text if nothing else is left. */
export function stripLeadIn(text: string): string {
  let rest = text;
  for (let found = leadIn.exec(rest); found; found = leadIn.exec(rest)) {
    const next = rest.slice(found[0].length);
    if (next.trim() === '') break;
    rest = next;
  }
  return rest;
}
