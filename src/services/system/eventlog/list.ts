// eventlog_list_logs: lists the logs of this machine that may be read.
import * as s from '../../../core/schema.ts';
import { inOneLine } from '../../../core/text/terminal.ts';
import { defineTool } from '../../../core/tool.ts';
import type { EventLog } from './eventlog.ts';

const answer = s.object({
  logs: s.list(s.object({ name: s.string(), description: s.optional(s.string()) })),
});

export function createListLogsTool(log: EventLog) {
  return defineTool({
    name: 'eventlog_list_logs',
    title: 'List event logs',
    description: 'List the event logs of this machine that eventlog_query can read.',
    effect: 'read',
    examples: [['lore eventlog list logs', 'names for eventlog query']],
    allowed: 'off',
    audited: true,
    input: s.object({}),
    output: answer,
    run: async (_, call) => ({ logs: await log.list(call) }),
    render: ({ logs }) => (logs.length === 0 ? 'No log can be read.' : logs.map(format).join('\n')),
    show: ({ logs }, { dim }) =>
      logs.map(({ name, description }) => format({ name, description: description && dim(description) })).join('\n'),
  });
}

function format({ name, description }: { name: string; description?: string | undefined }): string {
  return description ? `${inOneLine(name)}  ${description}` : inOneLine(name);
}
