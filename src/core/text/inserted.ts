// Removes text that programs and hooks (including ours) inserted into a message, and replaces <private> spans. Used by hooks,
// `learn` and `remember`, so that private text is never stored.

/** Replaces a private span. A sentence with this mark is never learned. */
export const privateMark = '[private]';

/** Elements that programs insert. */
const inserted = [
  'system-reminder|hook_context|user-prompt-submit-hook|task-notification|ide_opened_file|ide_selection|timestamp',
  'command-(?:name|message|args)|local-command-(?:stdout|stderr|caveat)|bash-(?:stdout|stderr)|tool[-_]use|tool_result',
  'environment_context|user_instructions|INSTRUCTIONS|user_info|attached_files|thinking|think',
].join('|');
/** Tags around the user's own text. */
const wrapper = /<\/?(?:user_query|bash-input)>/g;

export function stripInserted(text: string): string {
  if (!text.includes('<')) return text;
  const own = replaceSpans(hidePrivate(text), 'lore-data-[a-z0-9]+', { unclosed: 'rest', by: '' });
  return replaceSpans(own, inserted, { unclosed: 'keep', by: '' }).replace(wrapper, '');
}

/** An unclosed span extends to the end of the message: in doubt it is private. */
export function hidePrivate(text: string): string {
  return text.includes('<') ? replaceSpans(text, 'private', { unclosed: 'rest', by: privateMark }) : text;
}

/**
 * Replaces `<name …>…</name>` for names that match a pattern, in time proportional to the text. With `unclosed: 'rest'`,
 * spans nest and an open one takes the rest of the text; otherwise a tag without its end is plain text.
 */
function replaceSpans(
  text: string,
  names: string,
  { unclosed, by }: { unclosed: 'rest' | 'keep'; by: string },
): string {
  const tags = [...text.matchAll(new RegExp(`<(/?)(${names})(?:\\s[^<>]*)?>`, 'gi'))].map((tag) => ({
    closes: tag[1] === '/',
    name: (tag[2] as string).toLowerCase(),
    start: tag.index,
    end: tag.index + tag[0].length,
  }));
  const lastClosing = new Map(tags.flatMap(({ closes, name }, i) => (closes ? [[name, i] as const] : [])));
  const kept: string[] = [];
  let from = 0;
  for (let i = 0; i < tags.length; i++) {
    const { closes, name, start } = tags[i] as (typeof tags)[number];
    const isClosed = (lastClosing.get(name) ?? -1) > i;
    if (closes || (!isClosed && unclosed === 'keep')) continue;
    let depth = 1;
    while (depth > 0 && ++i < tags.length) {
      const tag = tags[i] as (typeof tags)[number];
      if (tag.name === name) depth += tag.closes ? -1 : unclosed === 'rest' ? 1 : 0;
    }
    kept.push(text.slice(from, start), by);
    from = tags[i]?.end ?? text.length;
  }
  kept.push(text.slice(from));
  return kept.join('');
}
