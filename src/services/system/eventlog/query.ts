// eventlog_query: a page of one log of this machine, newest first.

import * as s from '../../../core/schema.ts';
import { fenceAsData } from '../../../core/text/fence.ts';
import { countOf, describeTime, hangText, inOneLine, moreLine } from '../../../core/text/terminal.ts';
import { defineTool } from '../../../core/tool.ts';
import { eventIdSchema, type LogEntry, levelSchema, levels } from './entry.ts';
import type { EventLog } from './eventlog.ts';
import type { Page } from './page.ts';

const entry = s.object({
  id: s.integer(),
  logName: s.string(),
  level: s.oneOf(levels),
  source: s.string(),
  eventId: s.integer(),
  messageId: s.optional(s.string()),
  message: s.string(),
  timestamp: s.string(),
});

const answer = s.object({
  entries: s.list(entry),
  totalCount: s.integer(),
  totalBound: s.optional(s.oneOf(['at_least', 'at_most'])),
  nextOffset: s.optional(s.integer()),
  page: s.integer(),
  pageSize: s.integer(),
  next_cursor: s.optional(s.string()),
  incomplete: s.optional(s.boolean()),
});

export function createQueryTool(log: EventLog) {
  return defineTool({
    name: 'eventlog_query',
    title: 'Query an event log',
    description: "Return entries of one of this machine's event logs, newest first.",
    effect: 'read',
    examples: [
      ['lore eventlog query System --limit 20', 'the newest entries'],
      ['lore eventlog query unit:ssh.service --since "2 hours ago" --min-level ERROR', 'errors of one service'],
    ],
    allowed: 'off',
    expensive: true,
    audited: true,
    input: s.object({
      logName: s.string({ min: 1, max: 300, description: 'As in eventlog_list_logs: System, unit:ssh.service' }),
      limit: s.withDefault(s.integer({ min: 1, max: 10_000 }), 100),
      offset: s.withDefault(s.integer({ min: 0, max: 10_000_000 }), 0),
      cursor: s.optional(s.string({ max: 2_000, description: 'Previous next_cursor; preferred to offset' })),
      minLevel: s.optional(levelSchema()),
      source: s.optional(s.string({ min: 1, max: 300, description: 'Exact match' })),
      since: s.optional(s.string({ max: 100, description: 'Date, or "2 hours ago"' })),
      until: s.optional(s.string({ max: 100 })),
      text: s.optional(s.string({ min: 1, max: 1_000, description: 'In the message' })),
      eventId: s.optional(eventIdSchema()),
    }),
    output: answer,
    run: (args, call): Promise<Page> => log.query(args, call),
    render(page) {
      if (page.entries.length === 0) return page.incomplete ? `No entries so far.\n${goOn(page)}` : 'No entries match.';
      const id = page.entries[0]?.logName ?? '';
      const fenced = fenceAsData(
        [{ id, text: page.entries.map(describeEntry).join('\n') }],
        'read from a log of this machine',
      );
      return [fenced, describeTotal(page), goOn(page)].filter((line) => line !== '').join('\n');
    },
    show(page, { width, now, bold, dim }) {
      const lines = page.entries.flatMap(({ timestamp, level, source, message }) => {
        const isGrave = level === 'CRITICAL' || level === 'ERROR';
        const head = `${describeTime(timestamp, now)}  ${level}  ${inOneLine(source)}`;
        return [isGrave ? bold(head) : dim(head), ...hangText('  ', message, width)];
      });
      return [
        ...lines,
        dim([describeTotal(page), ...(page.next_cursor === undefined ? [] : [moreLine])].join(' ')),
      ].join('\n');
    },
  });
}

/** On its own line; text in a message cannot look like another entry. */
function describeEntry({ timestamp, level, source, eventId, message }: LogEntry): string {
  const number = eventId === 0 ? '' : ` (event ${eventId})`;
  return `${timestamp} ${level} ${inOneLine(source)}${number}: ${message.replaceAll('\n', '\n    ')}`;
}

function describeTotal({ entries, totalCount, totalBound }: Page): string {
  const bound = totalBound === undefined ? '' : totalBound.replace('_', ' ');
  return `${countOf(entries.length, 'entry', 'entries')} of ${bound} ${totalCount}.`.replace(/ +/g, ' ');
}

function goOn({ next_cursor: next, incomplete }: Page): string {
  if (next === undefined) return '';
  return `${incomplete ? 'The search is incomplete; continue with' : 'There are more:'} cursor ${next}`;
}
