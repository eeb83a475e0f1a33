// The gateway as a provider of tools: those of every mounted server.
import type { ToolProvider, ToolSource } from '../../core/tool-provider.ts';
import { readAnswer } from './call/answer.ts';
import { acceptArguments, type CallState, locateMounted, runMounted } from './call/run.ts';
import { catalogOf } from './catalog.ts';
import type { Gateway } from './gateway.ts';
import { originOf } from './mount/mount.ts';
import { viewFor } from './mount/profile.ts';
import type { MountState } from './mount/store.ts';

export function createMountProvider(gateway: Gateway, calls: CallState): ToolProvider {
  const { store } = gateway;
  return {
    sources: async (caller) => store.list().map((state) => describeSource(gateway, viewFor(state, caller))),
    source(name, caller) {
      const state = store.find(name);
      return state && describeSource(gateway, viewFor(state, caller));
    },
    catalog: (source, caller) => toolsOf(viewFor(store.get(source), caller)),
    async describe({ name, source }, caller) {
      const mounted = catalogOf(caller ? viewFor(store.get(source), caller) : store.get(source)).find(
        ({ provided }) => provided.name === name,
      );
      return mounted?.trust === 'approved' ? mounted.schema : undefined;
    },
    accept: ({ name, source }, args, caller) => acceptArguments(locateMounted(gateway, source, name, caller), args),
    run: async ({ name, source }, args, { call }) =>
      runMounted(gateway, calls, locateMounted(gateway, source, name, call.caller), args, call, readAnswer),
  };
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
