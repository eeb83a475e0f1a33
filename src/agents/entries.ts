// The servers in a program's settings, and those that are ours, under whatever name.
import { isObject } from '../core/schema.ts';
import type { ServerPart, TablePart } from './agent.ts';
import { findNode, parseJsonc, toValue } from './jsonc.ts';
import { startsOurServer } from './launch.ts';
import { findWithin } from './toml-edit.ts';

export interface ServerEntry {
  name: string;
  /** The address, if it connects to a running server. */
  url?: string;
  env: Readonly<Record<string, string>>;
}

/** All servers, by name. */
export function readEntries(part: ServerPart | TablePart, text: string): Readonly<Record<string, unknown>> {
  return part.kind === 'server' ? readJson(part, text) : readToml(part, text);
}

export function listOurEntries(part: ServerPart | TablePart, text: string): ServerEntry[] {
  return Object.entries(readEntries(part, text)).flatMap(([name, entry]) => {
    if (!isObject(entry)) return [];
    const { command, args, env, ...rest } = entry;
    const words = [command, ...(Array.isArray(args) ? args : [])];
    const url = [rest.url, rest.httpUrl, rest.serverUrl].find((one) => typeof one === 'string');
    const isOurs = startsOurServer(words) || (url !== undefined && /^lore(keeper)?$/i.test(name));
    const pairs = isObject(env) ? Object.entries(env).filter(([, value]) => typeof value === 'string') : [];
    return isOurs ? [{ name, ...(typeof url === 'string' && { url }), env: Object.fromEntries(pairs) as never }] : [];
  });
}

function readJson({ path }: ServerPart, text: string): Record<string, unknown> {
  const found = findNode(parseJsonc(text), path);
  const servers = found && toValue(found);
  return isObject(servers) ? servers : {};
}

const pairs = /([\w-]+|"[^"]*")\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/g;

function readToml({ path: outer }: TablePart, text: string): Record<string, Record<string, unknown>> {
  const servers: Record<string, Record<string, unknown>> = {};
  for (const { kind, path, value, end } of findWithin(text, outer)) {
    const [name, key, variable] = path.slice(outer.length);
    if (kind !== 'pair' || name === undefined || key === undefined) continue;
    servers[name] ??= {};
    const entry = servers[name];
    const given = text.slice(value, end);
    const strings = [...given.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g)].map(([, a, b]) => b ?? unquote(a));
    if (key !== 'env') entry[key] = given.startsWith('[') ? strings : strings[0];
    else if (variable !== undefined) entry.env = { ...(entry.env as object), [variable]: strings[0] };
    else {
      const inline = [...given.matchAll(pairs)].map(([, one = '', a, b]) => [one.replaceAll('"', ''), b ?? unquote(a)]);
      entry.env = Object.fromEntries(inline);
    }
  }
  return servers;
}

function unquote(text = ''): string {
  return text.replaceAll('\\\\', '\\');
}
