// Finds mentions in a document: linked paths, and names and paths in code spans.
const mostMentions = 300;

const linked = /\]\(\s*<?(?!\w+:|#|\/\/)([^)\s>#]+)/g;
const code = /`([^`\n]{2,120})`/g;
/** A name, possibly qualified or called, or a path. */
const name = /^[\w$./-]*[\w$](?:\(\))?$/;

export function findMentions(text: string): string[] {
  const found = new Set<string>();
  for (const [, target] of text.matchAll(linked)) found.add(decode(target as string));
  for (const [, span] of text.matchAll(code)) {
    const given = (span as string).trim();
    if (name.test(given) && /[A-Za-z]/.test(given)) found.add(given.replace(/\(\)$/, ''));
    if (found.size >= mostMentions) break;
  }
  return [...found].slice(0, mostMentions);
}

function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
