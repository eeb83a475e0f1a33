// Finds URLs. User name and password are removed from name and text.
import type { EntityDraft } from './draft.ts';

const address = /(?<![\w+.-])(?:https?|wss?|ftp):\/\/(?:[^\s<>"'`|\\^\p{Cc}\]]|\](?!\())+/giu;
const maxLength = 2_048;
const closers: Record<string, string> = { ')': '(', ']': '[' };
const tracking =
  /^(?:utm_\w+|gclid|dclid|fbclid|msclkid|yclid|twclid|igshid|mc_[ce]id|_hs(?:enc|mi)|_ga|vero_id|ref_src)$/i;

export function findUrls(draft: EntityDraft): void {
  for (const match of draft.text.matchAll(address)) {
    const written = match[0].length > maxLength ? '' : trimEnd(match[0]);
    const name = written && normalise(written);
    const end = match.index + (written || match[0]).length;
    // A template or ellipsis is not a URL, but contains no file or symbol either.
    if (!name) draft.hide(match.index, end);
    else draft.claim('url', name, match.index, end, /^\w+:\/\/[^/]*@/.test(written) ? name : written);
  }
}

/** Up to an unmatched closing bracket, and without the punctuation of the sentence. */
function trimEnd(written: string): string {
  const open: string[] = [];
  let end = 0;
  for (; end < written.length; end++) {
    const character = written[end] as string;
    const opener = closers[character];
    if (character === '(' || character === '[') open.push(character);
    else if (opener && open.pop() !== opener) break;
  }
  while (end > 0 && /[.,;:!?*~…。，、）」}]/.test(written[end - 1] as string)) end--;
  return written.slice(0, end);
}

function normalise(written: string): string | undefined {
  if (/[{}$]|\.\.\./.test(written) || !URL.canParse(written)) return undefined;
  const url = new URL(written);
  if (!/[a-z0-9]/.test(url.hostname)) return undefined;
  for (const key of [...url.searchParams.keys()]) if (tracking.test(key)) url.searchParams.delete(key);
  const path = url.pathname.replace(/\/$/, '');
  return `${url.protocol}//${url.host}${path}${url.search}${url.hash}`;
}
