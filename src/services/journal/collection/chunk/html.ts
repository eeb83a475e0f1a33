// HTML as blocks: its title, headings, paragraphs, lists, tables and code. Scripts, styles and navigation are omitted.
import type { Steps } from '../../../../core/steps.ts';
import { type DocumentBlock, plainName, type ReadDocument } from './block.ts';
import { decodeEntities } from './html-entity.ts';
import { createLines } from './html-lines.ts';
import { raw, scanHtml, type Token } from './html-scan.ts';

/** Not visible to a reader, or not part of the topic. */
const dropped = new Set('script style nav noscript template svg iframe textarea select button'.split(' '));
const breaks = new Set(
  'address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer form header hr html main p section summary'.split(
    ' ',
  ),
);
const wholes: Record<string, 'code' | 'list' | 'table'> = { pre: 'code', ul: 'list', ol: 'list', table: 'table' };

/** Tags and texts read in one step. */
const tokensAtOnce = 500;

export function* readHtml(html: string): Steps<ReadDocument> {
  const collector = new Collector(html);
  let tokens = 0;
  for (const token of scanHtml(html)) {
    if (++tokens % tokensAtOnce === 0) yield;
    if (token.tag === undefined) collector.text(token.text ?? '', token.at);
    else collector.tag(token.tag, token);
  }
  return collector.finish();
}

class Collector {
  readonly #html: string;
  readonly #blocks: DocumentBlock[] = [];
  readonly #lines = createLines();
  readonly #depths = { code: 0, list: 0, table: 0 };
  readonly #lastClose = new Map<string, number>();
  #title = '';
  #inTitle = false;
  #drop: { name: string; depth: number } | undefined;
  /** Of the heading that is open. */
  #level = 0;
  #kind: DocumentBlock['kind'] = 'text';
  #line = 1;
  #counted = 0;

  constructor(html: string) {
    this.#html = html;
  }

  tag(name: string, { closes = false, empty = false, at }: Token): void {
    if (this.#drop) return this.#skip(name, closes);
    const whole = Object.hasOwn(wholes, name) ? wholes[name] : undefined;
    if (dropped.has(name)) {
      // Never closed, it would swallow the rest of the page.
      if (!closes && !empty && (raw.has(name) || this.#isClosed(name, at))) this.#drop = { name, depth: 1 };
    } else if (name === 'title') this.#inTitle = !closes && this.#title === '';
    else if (/^h[1-6]$/.test(name)) this.#heading(Number(name[1]), closes);
    else if (whole) this.#nest(whole, closes);
    else if (name === 'li' && !closes) this.#lines.begin(`${'  '.repeat(Math.min(8, this.#depths.list - 1))}- `);
    else if ((name === 'tr' && !closes) || name === 'br') this.#lines.begin('');
    else if ((name === 'td' || name === 'th') && !closes) this.#lines.part(' | ');
    else if (breaks.has(name)) this.#pause();
  }

  text(text: string, at: number): void {
    if (this.#drop) return;
    if (this.#inTitle) this.#title += decodeEntities(text);
    else if (this.#depths.code > 0) this.#lines.add(decodeEntities(text), at);
    else {
      const words = decodeEntities(text.replace(/[ \t\r\n\f]+/g, ' '));
      const begins = this.#lines.endsInSpace() && words.startsWith(' ');
      this.#lines.add(begins ? words.slice(1) : words, at + text.length - text.trimStart().length);
    }
  }

  finish(): ReadDocument {
    this.#flush();
    const first = this.#blocks.find(({ level }) => level === 1)?.name;
    return { title: plainName(this.#title) || first || undefined, meta: {}, blocks: this.#blocks };
  }

  #skip(name: string, closes: boolean): void {
    const drop = this.#drop as { name: string; depth: number };
    if (name !== drop.name) return;
    drop.depth += closes ? -1 : 1;
    if (drop.depth === 0) this.#drop = undefined;
  }

  #isClosed(name: string, at: number): boolean {
    const last = this.#lastClose.get(name) ?? findLastClose(this.#html, name);
    this.#lastClose.set(name, last);
    return last > at;
  }

  #heading(level: number, closes: boolean): void {
    if (closes && this.#level === 0) return;
    this.#flush();
    this.#level = closes ? 0 : level;
  }

  #nest(kind: 'code' | 'list' | 'table', closes: boolean): void {
    const depths = this.#depths;
    const within = depths.code + depths.list + depths.table;
    const isOuter = closes ? within === 1 && depths[kind] === 1 : within === 0;
    if (isOuter) this.#flush();
    depths[kind] = Math.max(0, depths[kind] + (closes ? -1 : 1));
    if (isOuter) this.#kind = closes ? 'text' : kind;
    else this.#lines.begin('');
  }

  /** Not between two parts of a list or table. */
  #pause(): void {
    const { code, list, table } = this.#depths;
    if (code + list + table === 0) this.#flush();
    else if (code + table === 0) this.#lines.rest();
  }

  #flush(): void {
    const { text, at } = this.#lines.take(this.#kind === 'code');
    if (!/[^-|\s]/.test(text)) return;
    const line = this.#lineAt(at);
    const level = this.#level;
    const name = plainName(text);
    if (level === 0) this.#blocks.push({ kind: this.#kind, text, line });
    else this.#blocks.push({ kind: 'heading', text: `${'#'.repeat(level)} ${name}`, line, level, name });
  }

  /** Positions only ever grow, so lines are counted once. */
  #lineAt(at: number): number {
    for (let next = this.#html.indexOf('\n', this.#counted); next >= 0 && next < at; ) {
      this.#line++;
      this.#counted = next + 1;
      next = this.#html.indexOf('\n', this.#counted);
    }
    return this.#line;
  }
}

function findLastClose(html: string, name: string): number {
  let last = -1;
  for (const { index } of html.matchAll(new RegExp(`</${name}`, 'gi'))) last = index;
  return last;
}
