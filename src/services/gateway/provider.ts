// The gateway as a provider of tools: those of every mounted server.
import type { Soon } from '../../core/attempt.ts';
import type { Caller } from '../../core/call.ts';
import type { ToolProvider, ToolSource } from '../../core/tool-provider.ts';
import { readAnswer } from './call/answer.ts';
import { acceptArguments, type CallState, locateMounted, runMounted } from './call/run.ts';
import { catalogOf } from './catalog.ts';
import type { Gateway } from './gateway.ts';
import { originOf } from './mount/mount.ts';
import type { MountState } from './mount/store.ts';

export function createMountProvider(gateway: Gateway, calls: CallState): ToolProvider {
  const { store } = gateway;
  return {
    sources: (caller) => Promise.all(store.list().map((state) => see(state, caller, describe))),
    source(name, caller) {
      const state = store.find(name);
      return state && see(state, caller, describe);
    },
    catalog: (source, caller) => see(store.get(source), caller, toolsOf),
    async describe({ name, source }, caller) {
      const state = store.get(source);
      const catalog = catalogOf(caller ? await gateway.viewFor(state, caller) : state);
      const mounted = catalog.find(({ provided }) => provided.name === name);
      return mounted?.trust === 'approved' ? mounted.schema : undefined;
    },
    accept({ name, source }, args, caller) {
      const located = locateMounted(gateway, source, name, caller);
      return located instanceof Promise
        ? located.then((one) => acceptArguments(one, args))
        : acceptArguments(located, args);
    },
    run: async ({ name, source }, args, { call }) =>
      runMounted(gateway, calls, await locateMounted(gateway, source, name, call.caller), args, call, readAnswer),
  };

  function see<T>(state: MountState, caller: Caller, use: (view: MountState) => T): Soon<T> {
    const view = gateway.viewFor(state, caller);
    return view instanceof Promise ? view.then(use) : use(view);
  }

  function describe(view: MountState): ToolSource {
    return describeSource(gateway, view);
  }
}

/** Of mounts that work: every call asks for it. */
const described = new WeakMap<MountState, ToolSource>();

export function describeSource(gateway: Gateway, state: MountState): ToolSource {
  const isBroken = gateway.isBroken(state.mount.name);
  if (isBroken) return describeMount(state, isBroken);
  const known = described.get(state) ?? describeMount(state, isBroken);
  described.set(state, known);
  return known;
}

function describeMount(state: MountState, isBroken: boolean): ToolSource {
  const { mount, listing } = state;
  const note = noteOf(state, isBroken);
  return {
    name: mount.name,
    title: listing?.server.title ?? listing?.server.name ?? mount.name,
    kind: 'MCP server',
    origin: originOf(mount),
    tools: catalogOf(state).length,
    state: isBroken ? 'broken' : 'ready',
    ...(note !== undefined && { note }),
  };
}

/** In the same array until they change. */
const tools = new WeakMap<ReturnType<typeof catalogOf>, ReturnType<typeof catalogOf>[number]['provided'][]>();

function toolsOf(state: MountState) {
  const catalog = catalogOf(state);
  const known = tools.get(catalog) ?? catalog.map(({ provided }) => provided);
  tools.set(catalog, known);
  return known;
}

function noteOf(state: MountState, isBroken: boolean): string | undefined {
  const { name } = state.mount;
  if (isBroken) return `it crashed too often; a person can start it again: lore mount restart ${name}`;
  const waiting = catalogOf(state).filter(({ trust }) => trust !== 'approved').length;
  return waiting === 0 ? undefined : `${waiting} of its tools wait for a review by a person: lore mount review ${name}`;
}
