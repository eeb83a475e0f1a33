// Resources, prompts, completions, subscriptions and HTTP routes, found by URI or name and called through the registry's door.
import type { Soon } from '../attempt.ts';
import type { Call } from '../call.ts';
import type { PromptMessage, ResourceContents } from '../content.ts';
import { LoreError } from '../error.ts';
import type { RouteAnswer, RouteRequest } from '../route.ts';
import type { Completer, Prompt, ResourceTemplate } from '../service.ts';
import type { Owner } from './door.ts';
import { createPlainEntrance } from './entrance.ts';
import type { Registry } from './registry.ts';

interface Readable {
  owner: Owner;
  read(call: Call): Soon<ResourceContents[]>;
  watch?(call: Call): Promise<(() => void) | undefined> | undefined;
}

export function readResource(registry: Registry, uri: string, call: Call): Soon<ResourceContents[]> {
  return registry.enter({ name: uri, action: `read "${uri}"`, call }, () => {
    const { owner, read } = requireReadable(registry, uri, 'read');
    return createPlainEntrance([withoutFacts(owner)], () => read(call));
  });
}

/** Subscribing requires the same as reading. Returns what ends the subscription, if it uses resources of its own. */
export function watchResource(registry: Registry, uri: string, call: Call): Soon<(() => void) | undefined> {
  const action = `subscribe to "${uri}"`;
  return registry.enter({ name: `subscribe ${uri}`, action, call }, () => {
    const { owner, watch } = requireReadable(registry, uri, 'subscribe to');
    return createPlainEntrance([withoutFacts(owner)], () => watch?.(call));
  });
}

/** Whether it exists and its permission allows reading now; the subscriber's scope was checked at subscription. */
export function isReadable(registry: Registry, uri: string): boolean {
  const found = findReadable(registry, uri);
  return found !== undefined && registry.allows(found.owner, { id: '', folder: '', scopes: ['read', 'write'] });
}

function requireReadable(registry: Registry, uri: string, verb: string): Readable {
  const found = findReadable(registry, uri);
  if (found) return found;
  throw new LoreError('not_found', `Cannot ${verb} "${uri}": there is no such resource`, { details: { uri } });
}

function findReadable(registry: Registry, uri: string): Readable | undefined {
  const resource = registry.offered('resources').find(({ entry }) => entry.uri === uri);
  if (resource) {
    const { entry, owner } = resource;
    return { owner, read: (call) => entry.read(call), watch: (call) => entry.watch?.(call) };
  }
  for (const { entry, owner } of registry.offered('templates')) {
    const values = matchTemplate(entry.uriTemplate, uri);
    if (values) {
      return {
        owner,
        read: (call) => entry.read(values, uri, call),
        watch: (call) => entry.watch?.(values, uri, call),
      };
    }
  }
  return undefined;
}

export function getPrompt(
  registry: Registry,
  name: string,
  args: Record<string, string>,
  call: Call,
): Soon<{ description?: string; messages: PromptMessage[] }> {
  return registry.enter({ name, action: `get prompt "${name}"`, call, raw: args }, () => {
    const { entry, owner } = requirePrompt(registry, name);
    const { description } = entry;
    const get = async () => ({
      ...(description !== undefined && { description }),
      messages: await entry.get(args, call),
    });
    return { ...createPlainEntrance([withoutFacts(owner)], get), validate: () => requireArguments(entry, args) };
  });
}

function requirePrompt(registry: Registry, name: string) {
  const prompt = registry.offered('prompts').find(({ entry }) => entry.name === name);
  if (prompt) return prompt;
  throw new LoreError('invalid_input', `Cannot find prompt "${name}": it does not exist`, { details: { name } });
}

function requireArguments(prompt: Prompt, args: Record<string, string>): void {
  const missing = prompt.arguments?.find(({ name, required }) => required && args[name] === undefined);
  if (!missing) return;
  const details = { path: `arguments.${missing.name}`, expected: 'string', received: 'nothing' };
  throw new LoreError('invalid_input', `Cannot get prompt "${prompt.name}": ${details.path} is missing`, { details });
}

/** An entry with arguments to complete: a prompt by name, or a template by text. */
export type Completable = { prompt: string } | { uriTemplate: string };

export interface Typed {
  argument: string;
  value: string;
  /** Arguments that are already filled in. */
  context: Record<string, string>;
}

export function complete(
  registry: Registry,
  what: Completable,
  { argument, value, context }: Typed,
  call: Call,
): Soon<string[]> {
  return registry.enter({ name: `complete ${argument}`, action: `complete "${argument}"`, call }, () => {
    const { entry, owner } = 'prompt' in what ? requirePrompt(registry, what.prompt) : requireTemplate(registry, what);
    const completer = completerOf(entry, argument);
    return createPlainEntrance([withoutFacts(owner)], () => completer?.(value, context, call) ?? []);
  });
}

function requireTemplate(registry: Registry, { uriTemplate }: { uriTemplate: string }) {
  const template = registry.offered('templates').find(({ entry }) => entry.uriTemplate === uriTemplate);
  if (template) return template;
  throw new LoreError('invalid_input', `Cannot find template "${uriTemplate}": it does not exist`);
}

function completerOf(source: Prompt | ResourceTemplate, argument: string): Completer | undefined {
  if ('uriTemplate' in source) {
    return source.complete && Object.hasOwn(source.complete, argument) ? source.complete[argument] : undefined;
  }
  return source.arguments?.find(({ name }) => name === argument)?.complete;
}

/** The route of a running service for this method and path, or undefined. The first match below a service's path is used. */
export function findRoute(registry: Registry, method: string, path: string) {
  for (const { entry, owner } of registry.offered('routes')) {
    const own = `/${owner.serviceId}${entry.path}`;
    const isOpen = own.endsWith('/*');
    const rest =
      isOpen && path.startsWith(own.slice(0, -1)) ? path.slice(own.length - 1) : path === own ? '' : undefined;
    if (entry.method !== method || rest === undefined) continue;
    return (request: Omit<RouteRequest, 'rest'>, call: Call): Soon<RouteAnswer> =>
      registry.enter({ name: `${method} ${path}`, action: `answer ${method} ${path}`, call, raw: request.body }, () =>
        createPlainEntrance([withoutFacts(owner)], () => entry.answer({ ...request, rest }, call)),
      );
  }
  return undefined;
}

/** Audited facts are those of a tool's own results. */
function withoutFacts({ tool, serviceId }: Owner): Owner {
  return typeof tool.audited === 'function' ? { tool: { ...tool, audited: true }, serviceId } : { tool, serviceId };
}

const patterns = new Map<string, RegExp>();

function patternOf(uriTemplate: string): RegExp {
  let pattern = patterns.get(uriTemplate);
  if (!pattern) {
    const source = uriTemplate
      .split(/(\{\+?\w+\})/)
      .map((part) => {
        const name = /^\{(\+?)(\w+)\}$/.exec(part);
        if (!name) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
        return `(?<${name[2]}>${name[1] ? '.+' : '[^/]+'})`;
      })
      .join('');
    pattern = new RegExp(`^${source}$`, 's');
    patterns.set(uriTemplate, pattern);
  }
  return pattern;
}

function matchTemplate(uriTemplate: string, uri: string): Record<string, string> | undefined {
  const groups = patternOf(uriTemplate).exec(uri)?.groups;
  if (!groups) return undefined;
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined;
  }
}
