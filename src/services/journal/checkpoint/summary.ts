// Derives a name and a summary for a checkpoint from its first words and its next steps.
import { skim } from '../../../graph/create-node.ts';

const longestName = 80;
const longestSummary = 400;

/** Headings of summaries, and headings of next steps. */
const summing = /^(?:summary|tl;?dr|overview|goal|status|context|where we are|current state)\b/i;
const leading = /^(?:next(?: steps?)?|to-?do|remaining|open|what(?:'s| is) left|plan)\b/i;

interface Section {
  heading: string;
  /** Lines of its first paragraph, as many as fit. */
  lines: string[];
}

export function nameText(content: string): string {
  const line = trimLine(/^.*\S.*$/m.exec(content)?.[0] ?? '');
  return cut(line.replace(/^(?:#+|[-*>]|\d{1,9}[.)])\s*/, ''), longestName);
}

export function summarize(content: string): string {
  const sections = readSections(content);
  const first = sections.find(({ heading }) => summing.test(heading)) ?? sections.find(hasText);
  const next = sections.find((section) => leading.test(section.heading) && hasText(section));
  const parts = [first ? textOf(first) : ''];
  if (next && next !== first) parts.push(`${next.heading}: ${textOf(next)}`);
  const room = longestSummary / parts.filter((part) => part !== '').length;
  return parts
    .filter((part) => part !== '')
    .map((part) => cut(part, room))
    .join('\n');
}

const hasText = ({ lines }: Section) => lines.length > 0;
const textOf = ({ lines }: Section) => lines.join(' ');

/** Only the beginning and the end of a longer text, such as a pasted log, are searched. */
const longestRead = 100_000;

/** Each line is read once, and only its beginning. */
function readSections(content: string): Section[] {
  let section: Section = { heading: '', lines: [] };
  let isOpen = true;
  const sections = [section];
  for (const whole of skim(content, longestRead).split('\n')) {
    const line = trimLine(whole);
    const heading = whole.startsWith('#') ? /^#{1,6}\s+(.+?)\s*#*$/.exec(line)?.[1] : undefined;
    if (heading !== undefined) {
      section = { heading, lines: [] };
      sections.push(section);
      isOpen = true;
    } else if (line === '') isOpen &&= !hasText(section);
    else if (isOpen && section.lines.length < longestSummary) section.lines.push(line);
  }
  return sections;
}

/** As much as can be shown of it. */
function trimLine(line: string): string {
  return line.trim().slice(0, longestSummary * 2);
}

/** At the end of a word, and never inside a character. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '');
  const end = head.lastIndexOf(' ');
  return `${end > length / 2 ? head.slice(0, end) : head}…`;
}
