// The effect of a tool. A server's own hints can only make it more restricted: without a hint a tool writes, and a tool whose name
// says that it changes something does not read, whatever its hint says.
import { isObject } from '../../../core/schema.ts';
import type { Effect } from '../../../core/tool.ts';
import type { UpstreamTool } from './definition.ts';

const changing =
  /^(?:add|append|apply|archive|assign|cancel|clear|close|commit|copy|create|deploy|disable|edit|enable|execute|insert|install|invite|kill|lock|merge|modify|move|patch|post|publish|push|put|rename|replace|reset|restart|restore|revoke|run|save|send|set|start|stop|submit|transfer|uninstall|unlock|update|upload|upsert|write)$/;
const destroying = /^(?:delete|destroy|drop|erase|purge|remove|truncate|wipe)$/;

export function effectOf({ name, annotations }: UpstreamTool): Effect {
  const hints = isObject(annotations) ? annotations : {};
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  const verbs = words.filter((word) => word !== '').slice(0, 2);
  if (hints.readOnlyHint !== true && hints.destructiveHint === true) return 'destroy';
  if (verbs.some((word) => destroying.test(word))) return 'destroy';
  return hints.readOnlyHint === true && !verbs.some((word) => changing.test(word)) ? 'read' : 'write';
}
