// Adds one of our entries to a file's text, and removes it. Other entries are never replaced: an entry of our name that starts
// something else is a conflict that a person must resolve.
import { LoreError } from '../core/error.ts';
import { coreProfile } from '../core/registry/permission.ts';
import { isObject } from '../core/schema.ts';
import type { HooksPart, ServerPart, SettingsPart, TablePart } from './agent.ts';
import { listOurEntries } from './entries.ts';
import { findNode, parseJsonc, toValue } from './jsonc.ts';
import { appendItem, putValue, removeAt } from './jsonc-edit.ts';
import { callsOurHook, type Launch, writeCommandLine } from './launch.ts';
import { appendTable, findWithin, putPair, removeTable } from './toml-edit.ts';

/** Our name in every program. */
export const serverName = 'lorekeeper';

export interface Setup {
  launch: Launch;
  /** For files that other machines read. */
  portable: Launch;
  platform: NodeJS.Platform;
  /** Variables that the server and the hooks need. */
  env: Readonly<Record<string, string>>;
}

export function putPart(part: SettingsPart, text: string, setup: Setup): string {
  if (part.kind === 'server') return putServer(part, text, setup);
  if (part.kind === 'table') return putTable(part, text, setup);
  return putHooks(part, text, setup);
}

/** Removes containers that become empty, unless they existed `before`. */
export function removePart(part: SettingsPart, text: string, before?: string): string {
  if (part.kind === 'server') return removeServer(part, text, before);
  if (part.kind === 'table') return removeOurTable(part, text);
  return removeHooks(text, before);
}

/** Whether nothing is left that the user could miss. */
export function isBlank(text: string, parts: readonly SettingsPart[]): boolean {
  if (parts.some(({ kind }) => kind === 'table')) return text.trim() === '';
  const root = parseJsonc(text);
  if (!root) return text.replace('\uFEFF', '').trim() === '';
  const heads = parts.flatMap((part) => (part.kind === 'hooks' && part.head ? [part.head] : []));
  const value = JSON.stringify(toValue(root));
  return !/\/[/*]/.test(text) && ['{}', ...heads.map((head) => JSON.stringify(head))].includes(value);
}

interface EntryCommand {
  command: string;
  args: string[];
  env?: Readonly<Record<string, string>>;
}

/** Files of a repository contain nothing of this machine. */
function commandOf({ shared }: { shared?: boolean }, { launch, portable, env }: Setup): EntryCommand {
  const { command, args } = shared ? portable : launch;
  return { command, args: [...args, 'stdio'], ...(!shared && Object.keys(env).length > 0 && { env }) };
}

/** Other names under which the same file has our server. */
export function findOtherNames(part: SettingsPart, text: string): string[] {
  if (part.kind === 'hooks') return [];
  return listOurEntries(part, text)
    .map(({ name }) => name)
    .filter((name) => name !== serverName);
}

function putServer(part: ServerPart, text: string, setup: Setup): string {
  const path = [...part.path, serverName];
  const wanted = commandOf(part, setup);
  expectObjects(part.file, text, part.path);
  const found = findNode(parseJsonc(text), path);
  const preload = !part.shared && setup.env.LORE_PROFILE === coreProfile ? part.preload : undefined;
  if (!found) return putValue(text, path, { ...part.extra, ...wanted, ...preload });
  if (!isOurs(part, text)) throw taken(part.file, path);
  // The user may have added variables or permissions: only the command and the variables of this environment are ours.
  const { env = {}, ...command } = wanted;
  if (Object.keys(env).length > 0) expectObjects(part.file, text, [...path, 'env']);
  const pairs: [string[], unknown][] = [
    ...Object.entries({ ...command, ...preload }).map(([key, value]): [string[], unknown] => [[key], value]),
    ...Object.entries(env).map(([key, value]): [string[], unknown] => [['env', key], value]),
  ];
  return pairs.reduce((next, [keys, value]) => {
    const isSame = JSON.stringify(valueAt(next, [...path, ...keys])) === JSON.stringify(value);
    return isSame ? next : putValue(next, [...path, ...keys], value);
  }, text);
}

function removeServer(part: ServerPart, text: string, before: string | undefined): string {
  const path = [...part.path, serverName];
  if (!isOurs(part, text)) return text;
  return prune(removeAt(text, path), part.path, before);
}

function putTable(part: TablePart, text: string, setup: Setup): string {
  const path = [...part.path, serverName];
  const wanted = commandOf(part, setup);
  const found = findWithin(text, path);
  const inline = findWithin(text, part.path).some((one) => one.kind === 'pair' && one.path.length <= path.length);
  if (inline) throw taken(part.file, path);
  if (found.length === 0) return appendTable(text, path, { ...wanted });
  if (!isOurs(part, text)) throw taken(part.file, path);
  let next = putPair(text, [...path, 'command'], wanted.command);
  next = putPair(next, [...path, 'args'], wanted.args);
  if (!wanted.env) return next;
  const [known] = listOurEntries(part, text).filter(({ name }) => name === serverName);
  const isTable = findWithin(text, [...path, 'env']).some(({ kind }) => kind === 'table');
  if (!isTable) return putPair(next, [...path, 'env'], { ...known?.env, ...wanted.env });
  for (const [key, value] of Object.entries(wanted.env)) next = putPair(next, [...path, 'env', key], value);
  return next;
}

function removeOurTable(part: TablePart, text: string): string {
  return isOurs(part, text) ? removeTable(text, [...part.path, serverName]) : text;
}

/** Whether the entry of our name starts our server. */
function isOurs(part: ServerPart | TablePart, text: string): boolean {
  return listOurEntries(part, text).some(({ name, url }) => name === serverName && url === undefined);
}

function putHooks(part: HooksPart, text: string, { launch, platform, env }: Setup): string {
  let next = text;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  // Windows has no such program: hooks there use the settings file.
  const prefix = variables.length > 0 && platform !== 'win32' ? ['env', ...variables] : [];
  for (const [key, value] of Object.entries(part.head ?? {})) {
    if (!findNode(parseJsonc(next), [key])) next = putValue(next, [key], value);
  }
  for (const event of part.events) {
    const path = ['hooks', event];
    expectObjects(part.file, next, ['hooks']);
    const list = findNode(parseJsonc(next), path);
    if (list && list.kind !== 'array') throw new LoreError('conflict', notAList(part.file, path));
    const command = writeCommandLine([...prefix, launch.command, ...launch.args, 'hook', event], platform, part.shell);
    const [known, ...surplus] = findOurHooks(next, path);
    for (const extra of surplus.reverse()) next = removeHook(next, extra);
    if (known) {
      if (valueAt(next, known) !== command) next = putValue(next, known, command);
      continue;
    }
    const { type, ...rest } = part.extra ?? {};
    const entry = { type, command, ...rest };
    next = appendItem(next, path, part.form === 'grouped' ? { hooks: [entry] } : entry);
  }
  return next;
}

function notAList(file: string, path: readonly string[]): string {
  return `Cannot change "${file}": ${path.join('.')} is not a list`;
}

function removeHooks(text: string, before: string | undefined): string {
  let next = text;
  for (const event of eventsIn(text)) {
    const path = ['hooks', event];
    for (const found of findOurHooks(next, path).reverse()) {
      next = removeHook(next, found);
    }
    if (next !== text) next = prune(next, path, before);
  }
  return next;
}

function eventsIn(text: string): string[] {
  const hooks = findNode(parseJsonc(text), ['hooks']);
  return hooks?.kind === 'object' ? hooks.entries.map(({ key }) => key) : [];
}

/** The hook whose command is at `path`, and its group if it was the only one. */
function removeHook(text: string, path: readonly string[]): string {
  const rest = removeAt(text, path.slice(0, -1));
  const group = valueAt(rest, path.slice(0, 3));
  const isEmptied = path.length > 4 && isObject(group) && Array.isArray(group.hooks) && group.hooks.length === 0;
  return isEmptied ? removeAt(rest, path.slice(0, 3)) : rest;
}

/** Paths of the commands in an event's list, in either form. */
function findOurHooks(text: string, path: readonly string[]): string[][] {
  const list = valueAt(text, path);
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown, index) => {
    if (!isObject(entry)) return [];
    if (callsOurHook(entry.command)) return [[...path, String(index), 'command']];
    const inner = Array.isArray(entry.hooks) ? entry.hooks : [];
    return inner.flatMap((hook: unknown, at) =>
      isObject(hook) && callsOurHook(hook.command) ? [[...path, String(index), 'hooks', String(at), 'command']] : [],
    );
  });
}

function valueAt(text: string, path: readonly string[]): unknown {
  let value: unknown;
  const root = parseJsonc(text);
  if (root) value = toValue(root);
  for (const key of path) value = (value as Record<string, unknown> | undefined)?.[key];
  return value;
}

/** Removes empty containers, innermost first, unless they existed before. */
function prune(text: string, path: readonly string[], before: string | undefined): string {
  const own = before === undefined ? undefined : parseJsonc(before);
  let next = text;
  for (let depth = path.length; depth > 0; depth--) {
    const place = path.slice(0, depth);
    const node = findNode(parseJsonc(next), place);
    const isEmpty = node !== undefined && node.kind !== 'plain' && node.entries.length === 0;
    if (!isEmpty || findNode(own, place) || next.slice(node.start + 1, node.end - 1).trim() !== '') break;
    next = removeAt(next, place);
  }
  return next;
}

/** Everything on the path must be an object, or something would be overwritten. */
function expectObjects(file: string, text: string, path: readonly string[]): void {
  const root = parseJsonc(text);
  for (let depth = 0; depth <= path.length; depth++) {
    const node = findNode(root, path.slice(0, depth));
    if (!node || node.kind === 'object') continue;
    const what = depth === 0 ? 'it' : path.slice(0, depth).join('.');
    throw new LoreError('conflict', `Cannot change "${file}": ${what} is not an object`);
  }
}

function taken(file: string, path: readonly string[]): LoreError {
  return new LoreError(
    'conflict',
    `Cannot change "${file}": ${path.join('.')} exists and was not added by lore install`,
    {
      hint: 'Rename or remove that entry, then run this again.',
    },
  );
}
