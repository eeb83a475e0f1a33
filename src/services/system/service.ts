// The services for this machine's logs, files and settings, with permissions and an audit log. They share the pseudonyms.
import type { Service } from '../../core/service.ts';
import type { Tool } from '../../core/tool.ts';
import type { GraphAccess } from '../../graph/access.ts';
import type { Folders } from '../../graph/project/grant.ts';
import { createEventLog, type EventLogOptions } from './eventlog/eventlog.ts';
import { createListLogsTool } from './eventlog/list.ts';
import { createQueryTool } from './eventlog/query.ts';
import { createFileTools } from './fs/tools.ts';
import { eventlogHead, fsHead, regHead } from './head.ts';
import { createPrivacy } from './privacy/privacy.ts';
import { withPseudonyms } from './privacy/tool.ts';
import { createRegistryTools } from './reg/tools.ts';
import { nothingSet, type SystemSettings } from './settings.ts';

export interface SystemOptions {
  settings?: SystemSettings;
  eventlog?: Pick<EventLogOptions, 'openReader' | 'timeoutMs'>;
}

export function createSystemServices(access: GraphAccess, folders: Folders, options: SystemOptions = {}): Service[] {
  const settings = options.settings ?? nothingSet;
  const privacy = createPrivacy(access, settings.pseudonyms);
  const eventlog = createEventLog({ ...options.eventlog, allowedLogs: settings.logs, mask: privacy.openMask });
  const define = (head: typeof eventlogHead, tools: readonly Tool[]): Service => {
    const grouped = tools.map((tool) => withPseudonyms({ ...tool, group: head.group }, privacy));
    return { ...head, tools: () => grouped };
  };
  return [
    define(eventlogHead, [createListLogsTool(eventlog), createQueryTool(eventlog)]),
    define(fsHead, createFileTools(folders)),
    define(regHead, createRegistryTools(settings)),
  ];
}
