// Formats a file: with numbered lines for a model, so that it can request ranges, and for a terminal.
import { type Content, text } from '../../../core/content.ts';
import { fenceLines, showHidden } from '../../../core/text/fence.ts';
import { inOneLine, type Style } from '../../../core/text/terminal.ts';
import { type FileView, mediaOf } from './file-shape.ts';

export function renderFile(view: FileView): string | Content[] {
  const head = headOf(view);
  if (view.kind === 'text') {
    return [head, fenceLines(numberLines(view)), goOn(view)].filter((part) => part !== '').join('\n');
  }
  const media = mediaOf(view);
  return media ? [text(head), media] : `${head}\nFirst bytes: ${view.first_bytes}`;
}

export function showFile(view: FileView, style: Style): string {
  const head = style.dim(headOf(view));
  if (view.kind !== 'text') return head;
  const width = String(view.end ?? 0).length;
  const lines = showHidden(view.text ?? '')
    .replace(/\n$/, '')
    .split('\n')
    .map((line, at) => `${style.dim(String((view.start ?? 1) + at).padStart(width))}  ${line}`);
  return [head, ...(view.text === '' ? [] : lines), ...(goOn(view) === '' ? [] : [style.dim(goOn(view))])].join('\n');
}

function headOf({
  path,
  repo,
  kind,
  size,
  start,
  end,
  offset,
  total_lines: total,
  encoding,
  symbol,
  type,
}: FileView): string {
  const facts = [
    inOneLine(path),
    repo,
    symbol,
    kind === 'text'
      ? offset !== undefined
        ? `from byte ${offset}`
        : end === 0
          ? 'empty'
          : `lines ${start}–${end}${total === undefined ? '' : ` of ${total}`}`
      : type,
    encoding === undefined || encoding === 'utf-8' ? undefined : encoding,
    describeSize(size),
  ];
  return facts.filter((fact) => fact !== undefined).join(' · ');
}

/** Unchanged lines, each with its number and a tab before it. */
function numberLines({ text = '', start = 1, offset }: FileView): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (offset !== undefined) return lines;
  return lines.map((line, at) => `${start + at}\t${line}`);
}

function goOn({ next_start: next, next_offset: offset, cut }: FileView): string {
  const parts = [
    cut ? `The line is truncated: offset ${offset} has its rest.` : '',
    offset === undefined || cut ? '' : `More follows: continue with offset ${offset}.`,
    next === undefined ? '' : `More lines follow: continue with start ${next}.`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

export function describeSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let [value, unit] = [bytes / 1_000, 0];
  for (; value >= 999.5 && unit < units.length - 1; unit++) value /= 1_000;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
