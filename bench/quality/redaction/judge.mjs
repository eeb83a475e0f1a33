// How a found place is judged: a secret counts as found when every character of it is covered, a find as right when it
// covers nothing but a secret (white space, its escapes and a final ! or ? apart). Being found by another rule than expected is noted.

/** @typedef {import('./cases.mjs').Place} Place */

/** @param {import('./cases.mjs').Case} item @param {readonly Place[]} found */
export function judgeCase(item, found) {
  const labels = item.labels.map((label) => {
    let from = label.start;
    for (const span of found) if (span.start <= from && span.end > from) from = span.end;
    const hit = from >= label.end;
    return { label, hit, named: hit && found.some((span) => overlaps(span, label) && span.rule === label.rule) };
  });
  const spans = found.map((span) => {
    const trimmed = trim(item.text, span);
    return { span, right: item.labels.some((label) => trimmed.start >= label.start && trimmed.end <= label.end) };
  });
  return { labels, spans };
}

/** @param {Place} a @param {Place} b */
function overlaps(a, b) {
  return a.start < b.end && b.start < a.end;
}

/** @param {string} text @param {Place} span */
function trim(text, { start, end }) {
  const inside = text.slice(start, end);
  const before = /^(\s|\\[nrt])*/.exec(inside)?.[0].length ?? 0;
  const after = /(\s|\\[nrt]|[!?])*$/.exec(inside)?.[0].length ?? 0;
  return { start: start + before, end: end - after };
}
