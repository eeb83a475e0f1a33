// status: version, uptime, services, store, and the progress of background operations.
import type { Caller } from '../../core/call.ts';
import { LoreError } from '../../core/error.ts';
import { alwaysLearning, describeEnd, type LearningRules } from '../../core/learning.ts';
import type { ServiceStatus } from '../../core/registry/registry.ts';
import * as s from '../../core/schema.ts';
import { fenceAsData } from '../../core/text/fence.ts';
import { describeFacts, describeTime } from '../../core/text/terminal.ts';
import { defineTool } from '../../core/tool.ts';
import { version } from '../../core/version.ts';
import type { GraphAccess } from '../../graph/access.ts';
import { type Operation, operationStates } from '../../graph/operation/operation.ts';
import type { Folders } from '../../graph/project/grant.ts';
import { getOwnOperation } from '../../graph/project/scope.ts';
import { idArgument } from '../../graph/resolve-id.ts';

const serviceState = s.object({
  id: s.string(),
  title: s.string(),
  state: s.oneOf(['running', 'failed']),
  tools: s.integer({ min: 0 }),
  problem: s.optional(s.string({ description: 'Why it failed' })),
});

const storeState = s.object({
  engine: s.oneOf(['sqlite', 'postgres']),
  location: s.string(),
  nodes: s.optional(s.integer({ min: 0 })),
  problem: s.optional(s.string({ description: 'Why it cannot be used' })),
});

const operationState = s.object({
  id: s.string(),
  kind: s.string(),
  state: s.oneOf(operationStates),
  done: s.integer(),
  total: s.optional(s.integer()),
  message: s.optional(s.string()),
  problem: s.optional(s.string()),
  result: s.optional(s.json()),
  updated: s.string(),
});

/** Number of the project's operations that are listed for a model, and at most. */
const fewOperations = 5;
const mostOperations = 100;

const statusResult = s.object({
  name: s.string(),
  version: s.string(),
  uptimeSeconds: s.integer({ min: 0 }),
  services: s.list(serviceState),
  store: storeState,
  operations: s.list(operationState),
  learning: s.optional(s.string({ description: 'Why nothing is learned here' })),
});

export function createStatusTool(
  services: () => ServiceStatus[],
  graph: GraphAccess,
  folders: Folders,
  rules = alwaysLearning,
) {
  return defineTool({
    name: 'status',
    title: 'Server status',
    description:
      'Report the version, services and store of this server, and its background operations: one by id, or the latest. Call it when a tool is missing or fails.',
    effect: 'read',
    page: 'opens',
    main: 'operation_id',
    examples: [
      ['lore status', 'the version, services and latest operations'],
      ['lore status op_mwiczb6s4', 'one background operation'],
    ],
    input: s.object({
      operation_id: s.optional(idArgument),
      limit: s.withDefault(s.integer({ min: 1, max: mostOperations, description: 'Operations' }), fewOperations),
    }),
    output: statusResult,
    async run({ operation_id: id, limit }, { caller }) {
      const learning = await examineLearning(folders, caller, rules);
      return {
        name: 'lorekeeper',
        version,
        uptimeSeconds: Math.floor(process.uptime()),
        services: services().map(({ summary: _, ...service }) => service),
        store: await examineStore(graph),
        operations: await readOperations(folders, caller, id, limit),
        ...(learning !== undefined && { learning }),
      };
    },
    render: (status) => describeStatus(status, describeOperation),
    show: (status, { now }) => describeStatus(status, (operation) => listOperation(operation, now)),
  });
}

type Status = s.Infer<typeof statusResult>;

function describeStatus(
  { name, services: running, uptimeSeconds, store, operations, learning }: Status,
  describe: (operation: Status['operations'][number]) => string,
): string {
  const lines = running.map(({ id, state, tools, problem }) => {
    const count = `${tools} ${tools === 1 ? 'tool' : 'tools'}`;
    return `- ${id}: ${state === 'running' ? count : `failed: ${problem}`}`;
  });
  const kept = store.problem ?? `${store.nodes} nodes in ${store.location}`;
  const work = operations.map(describe);
  return [
    `${name} ${version}, up ${uptimeSeconds} s`,
    `Store: ${kept}`,
    ...(learning === undefined ? [] : [`Learning: ${learning}`]),
    'Services:',
    ...lines,
    ...(work.length > 0 ? ['Operations:', ...work] : []),
  ].join('\n');
}

async function examineLearning(folders: Folders, caller: Caller, rules: LearningRules): Promise<string | undefined> {
  if (rules.ignores(caller.folder)) return 'off, this folder is in ignore_folders';
  try {
    const { projects } = await folders.open(caller);
    const until = rules.pausedUntil(projects, Date.now());
    return until === undefined ? undefined : `paused${describeEnd(until)}; remember still works`;
  } catch (error) {
    if (!(error instanceof LoreError)) throw error;
    return undefined;
  }
}

/** An operation given by id must exist; otherwise an unusable store has none. */
async function readOperations(folders: Folders, caller: Caller, id: string | undefined, limit: number) {
  try {
    const scope = await folders.open(caller);
    const one = id === undefined ? undefined : await getOwnOperation(scope, id, 'show');
    const found = one ? [one] : await scope.opened.operations.recent(scope.projects, limit);
    return found.map((operation) => viewOperation(operation, one !== undefined));
  } catch (error) {
    if (!(error instanceof LoreError) || id !== undefined) throw error;
    return [];
  }
}

function viewOperation(operation: Operation, whole: boolean) {
  const { id, kind, state, done, total, message, problem, result, updatedAt } = operation;
  return {
    id,
    kind,
    state,
    done,
    ...(total !== undefined && { total }),
    ...(message !== '' && { message }),
    ...(problem !== undefined && { problem }),
    ...(whole && result !== undefined && { result }),
    updated: new Date(updatedAt).toISOString(),
  };
}

function describeOperation(operation: s.Infer<typeof operationState>): string {
  const { id, kind, state, done, total, problem, result, updated } = operation;
  const far = state === 'running' && total !== undefined ? ` ${done} of ${total}` : '';
  const data = result === undefined ? '' : `\n${fenceAsData([{ id, text: JSON.stringify(result, undefined, 1) }])}`;
  return `- ${id}: ${kind} ${state}${far}, ${updated}${problem === undefined ? '' : `: ${problem}`}${data}`;
}

/** For a person. */
function listOperation({ result, updated, ...operation }: Status['operations'][number], now: number): string {
  const facts = s.isObject(result) ? describeFacts(result).map((line) => `  ${line}`) : [];
  return [describeOperation({ ...operation, updated: describeTime(updated, now) }), ...facts].join('\n');
}

/** An unusable store is what a caller most needs to know, so it does not fail the call. */
async function examineStore(graph: GraphAccess): Promise<s.Infer<typeof storeState>> {
  const { engine, location } = graph;
  try {
    const opened = await graph.open();
    return { engine, location, nodes: await opened.countNodes() };
  } catch (error) {
    if (!(error instanceof LoreError)) throw error;
    return { engine, location, problem: error.message };
  }
}
