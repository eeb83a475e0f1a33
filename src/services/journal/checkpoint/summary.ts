// A name and a summary for a checkpoint that comes without: its own first words, and what it says comes next.

const longestName = 80;
const longestSummary = 400;

/** Sections that sum up, and sections that say what is left to do. */
const summing = /^(?:summary|tl;?dr|overview|goal|status|context|where we are|current state)\b/i;
const leading = /^(?:next(?: steps?)?|to-?do|remaining|open|what(?:'s| is) left|plan)\b/i;

interface Section {
  heading: string;
  paragraphs: string[];
}

export function nameText(content: string): string {
  const line = content.split('\n').find((one) => one.trim() !== '') ?? '';
  return cut(line.replace(/^\s*(?:#+|[-*>]|\d+[.)])\s*/, '').trim(), longestName);
}

export function summarize(content: string): string {
  const sections = readSections(content);
  const first = sections.find(({ heading }) => summing.test(heading)) ?? sections.find(hasText);
  const next = sections.find((section) => leading.test(section.heading) && hasText(section));
  const parts = [first?.paragraphs[0] ?? ''];
  if (next && next !== first) parts.push(`${next.heading}: ${next.paragraphs[0]}`);
  const room = longestSummary / parts.filter((part) => part !== '').length;
  return parts
    .filter((part) => part !== '')
    .map((part) => cut(part, room))
    .join('\n');
}

const hasText = ({ paragraphs }: Section) => paragraphs.length > 0;

function readSections(content: string): Section[] {
  const sections: Section[] = [{ heading: '', paragraphs: [] }];
  let isOpen = false;
  for (const line of content.split('\n')) {
    const heading = /^#{1,6}\s+(.+?)\s*#*$/.exec(line)?.[1];
    const { paragraphs } = sections.at(-1) as Section;
    if (heading !== undefined) sections.push({ heading, paragraphs: [] });
    else if (line.trim() !== '' && isOpen) paragraphs.push(`${paragraphs.pop() ?? ''} ${line.trim()}`.trim());
    else if (line.trim() !== '') paragraphs.push(line.trim());
    isOpen = heading === undefined && line.trim() !== '';
  }
  return sections;
}

/** At a word's end, and never inside a character. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '');
  const end = head.lastIndexOf(' ');
  return `${end > length / 2 ? head.slice(0, end) : head}…`;
}
