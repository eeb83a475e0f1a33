// Finds the blocks of a text: paragraphs, list items, headings, table rows, code lines, quotes. Marks (bullets, "> ", "#")
// are blanked in a view of equal length, so that places in the view are places in the text.

export type SentenceForm = 'prose' | 'item' | 'heading' | 'row' | 'code' | 'quote';

export interface TextBlock {
  form: SentenceForm;
  start: number;
  end: number;
}

interface Line {
  start: number;
  end: number;
  text: string;
}

const fenceMark = /^\s{0,12}(`{3,}|~{3,})/;
const headingMark = /^\s{0,3}#{1,6}\s+/;
const itemMark = /^\s{0,20}(?:[-*+•–]|\d{1,3}[.)]|[a-z]\))\s+(?:\[[ xX]\]\s+)?/;
const quoteMark = /^\s{0,3}(?:>\s?)+/;
const rowRule = /^[\s|:-]+$/;
const underline = /^\s{0,3}(?:={3,}|-{3,})\s*$/;
const rule = /^\s{0,3}(?:(?:\*\s*){3,}|(?:_\s*){3,}|(?:-\s*){3,})$/;

/** The blocks of a text in order, and the text with its marks blanked. */
export function findBlocks(text: string): { blocks: TextBlock[]; view: string } {
  const blocks: TextBlock[] = [];
  const view: string[] = [];
  let open: TextBlock | undefined;
  let fence = '';
  let inList = false;
  let afterBlank = true;

  const begin = (form: SentenceForm, start: number, end: number): TextBlock => {
    const block = { form, start, end };
    blocks.push(block);
    return block;
  };

  for (const line of linesOf(text)) {
    const mark = fenceMark.exec(line.text)?.[1];
    if (fence !== '') {
      if (mark?.startsWith(fence) && line.text.trim() === mark) fence = '';
      else if (line.text.trim() !== '') begin('code', line.start, line.end);
      view.push(line.text);
      continue;
    }
    const blank = line.text.trim() === '';
    let cover = 0;
    if (mark !== undefined) {
      fence = mark;
      open = undefined;
    } else if (blank) {
      open = undefined;
    } else if (underline.test(line.text) && open?.form === 'prose') {
      // A paragraph underlined is a heading; one of several lines is not, and then the line is a rule.
      if (!text.slice(open.start, open.end).includes('\n')) open.form = 'heading';
      open = undefined;
    } else if (rule.test(line.text)) {
      open = undefined;
    } else if (headingMark.test(line.text)) {
      cover = markLength(headingMark, line.text);
      begin('heading', line.start + cover, line.end);
      open = undefined;
      inList = false;
    } else if (isRow(line.text)) {
      if (!rowRule.test(line.text)) begin('row', line.start, line.end);
      open = undefined;
    } else if (quoteMark.test(line.text)) {
      cover = markLength(quoteMark, line.text);
      if (open?.form === 'quote') open.end = line.end;
      else open = begin('quote', line.start + cover, line.end);
    } else if (itemMark.test(line.text) && !isEmphasis(line.text)) {
      cover = markLength(itemMark, line.text);
      open = begin('item', line.start + cover, line.end);
      inList = true;
    } else if (afterBlank && !inList && /^(?: {4}|\t)/.test(line.text)) {
      begin('code', line.start, line.end);
      open = undefined;
    } else if (open !== undefined && open.form !== 'quote') {
      open.end = line.end;
    } else {
      const indented = /^\s{2,}/.test(line.text);
      open = begin(inList && indented ? 'item' : 'prose', line.start, line.end);
      if (!indented) inList = false;
    }
    // Indented lines are code until one that is not indented.
    afterBlank = blank || (afterBlank && blocks.at(-1)?.form === 'code');
    view.push(cover === 0 ? line.text : ' '.repeat(cover) + line.text.slice(cover));
  }
  return { blocks, view: view.join('\n') };
}

function* linesOf(text: string): Generator<Line> {
  let start = 0;
  while (start <= text.length) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    yield { start, end, text: text.slice(start, end) };
    start = end + 1;
  }
}

function markLength(mark: RegExp, line: string): number {
  return mark.exec(line)?.[0].length ?? 0;
}

function isRow(line: string): boolean {
  const trimmed = line.trim();
  return trimmed.startsWith('|') && trimmed.indexOf('|', 1) > 0;
}

/** `**Bold** text` and `* * *` begin with the bullet's sign but are none. */
function isEmphasis(line: string): boolean {
  return /^\s*\*\*/.test(line);
}
