// The handshake: `initialize` once per session, or `server/discover` at any time.
import { type LogLevel, logLevels } from '../../core/call.ts';
import { isObject } from '../../core/schema.ts';
import { readCapabilities } from '../capability.ts';
import { code, invalidParams, RpcError } from '../code.ts';
import {
  firstRevision,
  has,
  isLegacyRevision,
  type LegacyRevision,
  modernRevisions,
  newestLegacy,
  type Revision,
  skillsExtension,
  tasksExtension,
} from '../revision.ts';
import { cacheable, type Method, members } from './method.ts';

/** Declared even if there is nothing to list yet: services can be added later, and a session learns capabilities only once. */
function capabilities(revision: Revision): { [capability: string]: unknown } {
  const stateless = !isLegacyRevision(revision);
  return {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    logging: {},
    ...(has(revision, 'completionsCapability') ? { completions: {} } : {}),
    ...(stateless ? { extensions: { [tasksExtension]: {}, [skillsExtension]: { directoryRead: true } } } : {}),
  };
}

/** Sessions store it, and there may be thousands. */
const longestClientName = 100;

const initialize: Method = {
  era: 'session',
  isGreeting: true,
  run({ params, link }, protocol) {
    const { clientInfo, protocolVersion, capabilities: offered } = params;
    // A client that says nothing at all is testing by hand; one that says something has to say who it is.
    const isSilent = Object.keys(params).length === 0 && !link.session?.initialized;
    const name = isSilent ? '' : isObject(clientInfo) ? clientInfo.name : undefined;
    if (typeof name !== 'string') {
      throw invalidParams('params.clientInfo must be an object with a name', {
        path: 'params.clientInfo',
        expected: 'object with a name',
        received: clientInfo === undefined ? 'nothing' : typeof clientInfo,
      });
    }
    if (link.session?.initialized && link.headers) {
      throw new RpcError(code.invalidRequest, 'Cannot initialize: this session is already initialized', {
        status: 400,
      });
    }
    const session = link.session ?? link.openSession?.();
    if (!session) throw new RpcError(code.invalidRequest, 'Cannot initialize: this transport has no sessions');
    session.revision = negotiate(protocolVersion);
    session.capabilities = readCapabilities(offered);
    session.clientName = name.length > longestClientName ? '' : name;
    session.initialized = true;
    protocol.hub.join(session);
    const { info } = protocol;
    const serverInfo = { name: info.name, version: info.version };
    return members({
      protocolVersion: session.revision,
      capabilities: capabilities(session.revision),
      serverInfo: has(session.revision, 'title') ? { ...serverInfo, title: info.title } : serverInfo,
      instructions: info.instructions({ caller: link.caller, offersRoots: session.capabilities.includes('roots') }),
    });
  },
};

/** A client that names no revision may know only the first. */
function negotiate(asked: unknown): LegacyRevision {
  if (typeof asked !== 'string') return firstRevision;
  return isLegacyRevision(asked) ? asked : newestLegacy;
}

const discover: Method = {
  era: 'stateless',
  isGreeting: true,
  run(exchange, protocol) {
    const fields = members({
      supportedVersions: modernRevisions,
      capabilities: capabilities(exchange.revision),
      instructions: protocol.info.instructions({ caller: exchange.caller, offersRoots: exchange.can('roots') }),
    });
    return cacheable(exchange, fields);
  },
};

const ping: Method = { era: 'session', isGreeting: true, run: () => '' };

const shutdown: Method = {
  era: 'session',
  run({ link }) {
    link.shutdown?.();
    return '';
  },
};

const setLevel: Method = {
  era: 'session',
  run({ params, link }) {
    if (!logLevels.includes(params.level as LogLevel)) {
      throw invalidParams(`params.level must be one of ${logLevels.join(', ')}`);
    }
    if (link.session) link.session.logLevel = params.level as LogLevel;
    return '';
  },
};

export const lifecycleMethods = {
  initialize,
  'server/discover': discover,
  ping,
  shutdown,
  'logging/setLevel': setLevel,
} satisfies Record<string, Method>;
