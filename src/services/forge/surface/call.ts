// tool_read and tool_write: run a tool that tool_find returned. They differ in what clients may approve without asking.
import { basename } from 'node:path';
import { type Call, MovedToBackground } from '../../../core/call.ts';
import { LoreError } from '../../../core/error.ts';
import * as s from '../../../core/schema.ts';
import { defineTool, type Tool } from '../../../core/tool.ts';
import {
  answerSource,
  type ProjectFile,
  type ProvidedAnswer,
  splitToolName,
  type ToolArguments,
  type ToolSource,
} from '../../../core/tool-provider.ts';
import { readInside } from '../../../files/inside.ts';
import type { Folders } from '../../../graph/project/grant.ts';
import { type CallAnswer, callAnswer, renderAnswer, showAnswer } from './answer.ts';
import { stateLabels } from './find.ts';
import { locateSource, locateTool, type Surface } from './providers.ts';
import { ShownAnswers } from './shown.ts';

const mostFileBytes = 32 * 1024 * 1024;

const defaultBudget = 4_000;

const common = {
  name: s.string({ min: 1, max: 64, description: 'As tool_find or an answer returns it' }),
  arguments: s.withDefault(s.record(s.json(), { description: 'As tool_find describes them' }), {}),
  budget_tokens: s.withDefault(s.integer({ min: 100, max: 100_000 }), defaultBudget),
};
const readInput = s.object({
  ...common,
  max_items: s.optional(
    s.integer({ min: 1, max: 10_000, description: 'Follow the pages of a list up to this many items' }),
  ),
});
const writeInput = s.object(common);
interface CallInput {
  name: string;
  arguments: ToolArguments;
  budget_tokens?: number;
  max_items?: number | undefined;
}

/** Runs a tool of any provider, whether a client called it by its own name or through tool_read or tool_write. */
export type RunAny = (input: CallInput, call: Call, onlyReads: boolean) => Promise<CallAnswer>;

export function createRunner(surface: Surface, folders: Pick<Folders, 'list'>): RunAny {
  const load = async () => ({ ...(await import('./fit.ts')), ...(await import('./permit.ts')) });
  const shown = new ShownAnswers();
  let loaded: Awaited<ReturnType<typeof load>> | undefined;
  return async (
    { name, arguments: args, max_items: maxItems, budget_tokens: budget = defaultBudget },
    call,
    onlyReads,
  ) => {
    loaded ??= await load();
    const { fitAnswer, readStored, permitCall } = loaded;
    const room = { answers: surface.answers, budget, caller: call.caller, shown: shown.of(call) };
    if (splitToolName(name).source === answerSource) return readStored(name, args, { ...room, shown: undefined });
    const owned = await locateTool(surface, name, call.caller);
    const { provider, tool, source } = owned;
    if (onlyReads && tool.effect !== 'read') {
      throw new LoreError('invalid_input', `Cannot run "${name}" with tool_read: it changes data`, {
        hint: 'Use tool_write.',
      });
    }
    const accepted = await provider.accept(tool, args, call.caller);
    if (provider !== surface.own) await permitCall(surface, owned, accepted, call);
    if (provider.isUnrecorded) unrecordedKinds.add(source.kind);
    const finish = async (answer: ProvidedAnswer): Promise<CallAnswer> => {
      const { state, kind } =
        source.state === 'ready' ? source : (await locateSource(surface, source.name, call.caller)).source;
      if (surface.pins.has(name)) {
        const { renewPin } = await import('./pinned.ts');
        await surface.pins.count(name);
        await renewPin(surface, owned);
      }
      return fitAnswer({ name, kind, ...(state !== 'ready' && { state }) }, answer, room);
    };
    let answer: ProvidedAnswer;
    try {
      answer = await provider.run(tool, accepted, { call, readFile: createFileReader(folders, call), maxItems });
    } catch (error) {
      // What is left of the call includes the answer's way to the client.
      if (error instanceof MovedToBackground)
        throw new MovedToBackground(async (later) => finish((await error.work(later)) as ProvidedAnswer));
      throw withState(error, source);
    }
    return finish(answer);
  };
}

/** Of sources whose successful reads are not recorded. */
const unrecordedKinds = new Set<string>();

export function createCallTools(run: RunAny): Tool[] {
  const factsOf = ({ status }: CallAnswer) => ({ ...(status !== undefined && { status }) });
  const shared = {
    output: callAnswer,
    openWorld: true,
    waits: true,
    core: true,
    render: renderAnswer,
    show: showAnswer,
  };
  return [
    defineTool({
      ...shared,
      input: readInput,
      audited: (answer) => (unrecordedKinds.has(answer.kind) ? undefined : factsOf(answer)),
      name: 'tool_read',
      title: 'Call an API tool that reads',
      description: 'Run a tool from tool_find whose effect is read, or read the rest of a long answer.',
      effect: 'read',
      preloaded: true,
      examples: [[`lore tool read petstore_get_pet_by_id --arguments '{"petId": 1}'`, 'one call']],
      run: (args, call) => run(args, call, true),
    }),
    defineTool({
      ...shared,
      input: writeInput,
      audited: factsOf,
      name: 'tool_write',
      title: 'Call an API tool that changes data',
      description: 'Run a tool from tool_find whose effect is write or destroy. The user may have to allow it.',
      effect: 'destroy',
      searchHint: 'call an API or another server, change its data',
      examples: [[`lore tool write petstore_add_pet --arguments '{"body": {"name": "Rex"}}'`, 'one change']],
      run: (args, call) => run(args, call, false),
    }),
  ];
}

/** A failure of a source that has never answered may be its own fault. */
function withState(error: unknown, { state }: ToolSource): unknown {
  const label = stateLabels[state];
  if (!(error instanceof LoreError) || label === undefined) return error;
  const { word, message, hint, details, advice, cause } = error;
  return new LoreError(word, message, {
    ...(hint !== undefined && { hint }),
    details: { ...details, source: label },
    advice,
    cause,
  });
}

/** Files of the caller's project. */
function createFileReader(folders: Pick<Folders, 'list'>, call: Call) {
  return async (path: string): Promise<ProjectFile> => {
    const { tops } = await folders.list(call.caller);
    for (const top of tops) {
      const bytes = await readInside(top, path, mostFileBytes);
      if (bytes) return { bytes, name: basename(path), type: 'application/octet-stream' };
    }
    throw new LoreError(
      'not_found',
      `Cannot send "${path}": it is not a file of the project, or is larger than 32 MiB`,
      {
        hint: 'A person can allow another folder: lore allow --root <folder>',
      },
    );
  };
}
