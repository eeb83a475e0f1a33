// The system service: this machine's logs, files and settings, with permissions and an audit log.
import type { Service } from '../../core/service.ts';
import type { GraphAccess } from '../../graph/access.ts';
import type { Folders } from '../../graph/project/grant.ts';
import { createEventLog, type EventLogOptions } from './eventlog/eventlog.ts';
import { createListLogsTool } from './eventlog/list.ts';
import { createQueryTool } from './eventlog/query.ts';
import { createFileTools } from './fs/tools.ts';
import { head } from './head.ts';
import { createPrivacy } from './privacy/privacy.ts';
import { withPseudonyms } from './privacy/tool.ts';
import { createRegistryTools } from './reg/tools.ts';
import { nothingSet, type SystemSettings } from './settings.ts';

export interface SystemOptions {
  settings?: SystemSettings;
  eventlog?: Pick<EventLogOptions, 'openReader' | 'timeoutMs'>;
}

export function createSystemService(access: GraphAccess, folders: Folders, options: SystemOptions = {}): Service {
  const settings = options.settings ?? nothingSet;
  const privacy = createPrivacy(access, settings.pseudonyms);
  const eventlog = createEventLog({ ...options.eventlog, allowedLogs: settings.logs, mask: privacy.openMask });
  const tools = [
    createListLogsTool(eventlog),
    createQueryTool(eventlog),
    ...createFileTools(folders),
    ...createRegistryTools(settings),
  ].map((tool) => withPseudonyms(tool, privacy));
  return {
    ...head,
    tools: () => tools,
  };
}
