// Resources, and notifications of their changes: by subscription in a session, by a listen stream without one.
import { CapabilityMissing } from '../../core/call.ts';
import { type ErrorWord, LoreError } from '../../core/error.ts';
import { readResource, watchResource } from '../../core/registry/lookup.ts';
import type { Registry } from '../../core/registry/registry.ts';
import { isObject } from '../../core/schema.ts';
import type { ListKind } from '../../core/service.ts';
import { invalidParams } from '../code.ts';
import type { Exchange } from '../exchange.ts';
import { type ListenFilter, notify } from '../hub.ts';
import type { ListEntry } from '../list.ts';
import type { Params } from '../message.ts';
import { metaKey, tasksExtension } from '../revision.ts';
import { cacheable, defineList, type Method, members } from './method.ts';
import { listSkillFiles } from './skills.ts';

const listResources: Method = {
  era: 'both',
  run(exchange, protocol) {
    const write = (skills: readonly ListEntry[]) =>
      cacheable(exchange, protocol.lists.page('resources', exchange, exchange.params.cursor, skills));
    const skills = listSkillFiles(exchange, protocol);
    return skills instanceof Promise ? skills.then(write) : write(skills);
  },
};

const listTemplates = defineList('resourceTemplates');

const read: Method = {
  era: 'both',
  async run(exchange, protocol) {
    const uri = uriOf(exchange);
    await protocol.bringAnswers(exchange);
    const contents = await readResource(protocol.registry, uri, exchange);
    return cacheable(exchange, members({ contents }), 0);
  },
};

const subscribe: Method = {
  era: 'session',
  run(exchange, { hub, registry }) {
    const uri = uriOf(exchange);
    const join = (end: (() => void) | undefined) => {
      const { session } = exchange.link;
      // The session may have ended meanwhile.
      if (session && !exchange.signal.aborted) hub.subscribe(session, uri, end);
      else end?.();
      return '';
    };
    const watched = watchResource(registry, uri, exchange);
    return watched instanceof Promise ? watched.then(join) : join(watched);
  },
};

const unsubscribe: Method = {
  era: 'session',
  run(exchange, { hub }) {
    if (exchange.link.session) hub.unsubscribe(exchange.link.session, uriOf(exchange));
    return '';
  },
};

function uriOf({ params }: Exchange): string {
  if (typeof params.uri !== 'string') throw invalidParams('params.uri must be a string');
  return params.uri;
}

/** The names of list changes in a listen filter. */
const filterWords: Record<string, ListKind> = {
  toolsListChanged: 'tools',
  promptsListChanged: 'prompts',
  resourcesListChanged: 'resources',
};

const listen: Method = {
  era: 'stateless',
  async run(exchange, { hub, tasks, registry }) {
    const asked = exchange.params.notifications;
    if (!isObject(asked)) throw invalidParams('params.notifications must be an object');
    const words = Object.keys(filterWords).filter((word) => asked[word] === true);
    const given = strings(asked, 'resourceSubscriptions');
    // Skipped if there are none: a task could be over before its listener is ready.
    const watched = given && (await watchReadable(given, registry, exchange));
    const uris = watched && [...watched.keys()];
    const taskIds = strings(asked, 'taskIds');
    if (taskIds && !exchange.knowsTasks) throw new CapabilityMissing({ extensions: { [tasksExtension]: {} } });
    const ownTasks = taskIds?.filter((taskId) => tasks.has(taskId, exchange.caller));
    const filter: ListenFilter = {
      lists: new Set(words.map((word) => filterWords[word] as ListKind)),
      uris: new Set(uris),
      taskIds: new Set(ownTasks),
    };
    notify(exchange, 'notifications/subscriptions/acknowledged', {
      notifications: {
        ...Object.fromEntries(words.map((word) => [word, true])),
        ...(uris ? { resourceSubscriptions: uris } : {}),
        ...(ownTasks ? { taskIds: ownTasks } : {}),
      },
    });
    await hub.listen(exchange, filter);
    for (const end of watched?.values() ?? []) end?.();
    return members({ _meta: { [metaKey.subscription]: exchange.id } });
  },
};

const maxListened = 10_000;
const refusals: readonly ErrorWord[] = ['forbidden', 'not_found', 'invalid_input'];

/** Resources that may not be read or whose changes are not reported are not acknowledged. */
async function watchReadable(uris: string[], registry: Registry, exchange: Exchange) {
  if (uris.length > maxListened) {
    throw new LoreError('limit_exceeded', `Cannot listen to ${uris.length} resources: at most ${maxListened} at once`);
  }
  const watched = new Map<string, (() => void) | undefined>();
  for (const uri of new Set(uris)) {
    try {
      watched.set(uri, await watchResource(registry, uri, exchange));
    } catch (error) {
      const isRefused = error instanceof LoreError && refusals.includes(error.word);
      if (isRefused) continue;
      for (const end of watched.values()) end?.();
      throw error;
    }
  }
  return watched;
}

function strings(asked: Params, key: string): string[] | undefined {
  const value = asked[key];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value;
  throw invalidParams(`params.notifications.${key} must be an array of strings`);
}

export const resourceMethods = {
  'resources/list': listResources,
  'resources/templates/list': listTemplates,
  'resources/read': read,
  'resources/subscribe': subscribe,
  'resources/unsubscribe': unsubscribe,
  'subscriptions/listen': listen,
} satisfies Record<string, Method>;
