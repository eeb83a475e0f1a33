// One node in full: fenced for a model, formatted for a person at a terminal.
import { fenceAsData } from '../../../core/text/fence.ts';
import {
  countOf,
  describeTime,
  formatDate,
  hangText,
  inOneLine,
  joinFacts,
  type Style,
  wrapText,
} from '../../../core/text/terminal.ts';
import type { Action } from '../../../graph/statement.ts';
import type { FullEntry } from '../full-entry.ts';

export function fenceWhole(whole: FullEntry, next: string | undefined): string {
  const { id, kind, title, text, offset, length, links, history } = whole;
  const part = text.length < length ? `characters ${offset} to ${offset + text.length} of ${length}` : '';
  const facts = [kind, whole.knowledge, whole.created.slice(0, 10), whole.source && `from ${whole.source}`];
  const states = [
    whole.superseded_by && `superseded by ${whole.superseded_by}`,
    whole.forgotten && `forgotten ${whole.forgotten.slice(0, 10)}`,
    whole.expires && `until ${whole.expires.slice(0, 10)}`,
  ];
  const label = [...facts, ...states, part].filter(Boolean).join(' · ');
  const entries = [
    { id, label, text: title === undefined || offset > 0 ? text : `${title}\n${text}` },
    ...(links.length === 0 ? [] : [{ id: 'links', text: links.map(describeLink).join('\n') }]),
    {
      id: 'history',
      text: history
        .map(
          ({ at, actor, action, before }) =>
            `${at} ${action} by ${actor}${before === undefined ? '' : `, from: ${before}`}`,
        )
        .join('\n'),
    },
  ];
  return [fenceAsData(entries), ...(next === undefined ? [] : [`There is more: cursor ${next}`])].join('\n');
}

function describeLink({ kind, id, from, text }: FullEntry['links'][number]): string {
  return `${from ? `${kind} →` : `← ${kind}`} ${id} ${text}`;
}

export const actionWords: Record<Action, string> = {
  put: 'stored',
  update: 'updated',
  edit: 'edited',
  expire: 'expired',
  supersede: 'superseded',
  forget: 'forgotten',
  restore: 'restored',
};

export function showWhole(whole: FullEntry, next: string | undefined, style: Style): string {
  const { id, title, text, offset, length, links, history } = whole;
  const { bold, dim, width, now } = style;
  const below = (lines: readonly string[]) => lines.map((line) => `  ${dim(line)}`);
  const facts = [
    whole.knowledge === undefined || whole.knowledge === 'note' ? whole.kind : `${whole.kind}, ${whole.knowledge}`,
    describeTime(whole.created, now),
    whole.source && `from ${whole.source}`,
    (whole.tags ?? []).map((tag) => `#${tag}`).join(' '),
    whole.updated === whole.created ? undefined : `changed ${describeTime(whole.updated, now)}`,
    whole.expires && whole.superseded_by === undefined ? `until ${formatDate(whole.expires, now)}` : undefined,
    whole.superseded_by && `superseded by ${whole.superseded_by}`,
    whole.forgotten && `forgotten ${describeTime(whole.forgotten, now)}`,
    countOf(length, 'character'),
  ];
  return [
    bold(id),
    ...below(joinFacts(facts, width - 2)),
    ...(title === undefined ? [] : ['', ...wrapText(title, width).map(bold)]),
    '',
    ...(offset > 0 ? [dim(`[… from character ${offset} on]`)] : []),
    ...wrapText(text, width),
    ...(next === undefined ? [] : [dim(`[… ${length - offset - text.length} more characters: lore show ${id}]`)]),
    ...(links.length === 0 ? [] : ['', bold('Links')]),
    ...links.flatMap((link) => hangText('  ', describeLink(link), width)),
    '',
    bold('History'),
    ...history.flatMap(({ at, actor, action, before }) => [
      ...joinFacts(
        [describeTime(at, now), actionWords[action as Action] ?? action, `by ${inOneLine(actor)}`],
        width - 2,
      ).map((line) => `  ${line}`),
      ...(before === undefined ? [] : hangText('    ', before, width).map(dim)),
    ]),
  ].join('\n');
}
