// index_repository: creates or updates the index of a project, a folder or a git address. Short work is done when it returns;
// the rest continues in the background, and the existing part of the index can be searched.
import { LoreError } from '../../../core/error.ts';
import * as s from '../../../core/schema.ts';
import { alignCounts, countOf, inOneLine, joinFacts } from '../../../core/text/terminal.ts';
import { defineTool } from '../../../core/tool.ts';
import { attendOperation } from '../../../graph/operation/follow.ts';
import type { Operation } from '../../../graph/operation/operation.ts';
import { ensureProject } from '../../../graph/project/scope.ts';
import type { RepoContext } from '../context.ts';
import type { Indexer } from './indexer.ts';
import type { Indexed, IndexInput } from './indexing.ts';

const patterns = s.optional(s.list(s.string({ min: 1, max: 300 }), { max: 100, description: 'As in .gitignore' }));

const answer = s.object({
  repository: s.string(),
  state: s.oneOf(['indexing', 'complete', 'failed', 'cancelled']),
  operation_id: s.string(),
  done: s.integer(),
  total: s.optional(s.integer()),
  problem: s.optional(s.string()),
  result: s.optional(
    s.object({
      files: s.integer(),
      symbols: s.integer({ description: 'Read in this run' }),
      added: s.integer(),
      changed: s.integer(),
      unchanged: s.integer(),
      removed: s.integer(),
      skipped: s.record(s.integer()),
      seconds: s.number(),
    }),
  ),
});

type Answer = s.Infer<typeof answer>;

export function createIndexTool(context: RepoContext, indexer: Indexer) {
  return defineTool({
    name: 'index_repository',
    title: 'Index a repository',
    description:
      'Index a code base (this project, a folder, a git URL) for search_code, repo_symbol and repo_map: files, symbols and their relations. Re-running updates only what changed; a running server keeps it current.',
    effect: 'write',
    main: 'project_path',
    examples: [
      ['lore index repository', 'this project'],
      ['lore index repository --url https://github.com/expressjs/express', 'another repository'],
      ["lore index repository --exclude 'vendor/,*.min.js'", 'without some files'],
    ],
    idempotent: true,
    expensive: true,
    openWorld: true,
    background: 'allowed',
    input: s.object({
      project_path: s.optional(s.string({ min: 1, max: 4_096 })),
      url: s.optional(s.string({ min: 1, max: 2_000 })),
      force: s.withDefault(s.boolean({ description: 'Re-read every file' }), false),
      include: patterns,
      exclude: patterns,
      max_file_size: s.optional(s.integer({ min: 1_000, max: 20_000_000, description: 'Bytes' })),
    }),
    output: answer,
    async run({ project_path, url, force, include, exclude, max_file_size }, call) {
      if (project_path !== undefined && url !== undefined) throw argumentsError();
      const { caller, signal } = call;
      const progress: typeof call.progress = (...step) => call.progress(...step);
      const place = await context
        .open({ caller, signal, progress, fresh: url !== undefined, writes: url === undefined }, url ?? project_path)
        .catch((error: unknown) => {
          throw nameArgument(error, url === undefined ? 'arguments.project_path' : 'arguments.url');
        });
      const { scope, root, name, callerProject } = place;
      // A clone's project is created by the first caller that works in it.
      if (place.url === undefined) await ensureProject(scope);
      const input: IndexInput = {
        root,
        ...(force && { force }),
        ...(include && { include }),
        ...(exclude && { exclude }),
        ...(max_file_size !== undefined && { max_file_size }),
      };
      const id = await indexer.ask(scope, input, callerProject);
      return attendOperation(scope.opened, id, call, (operation) => view(name, operation));
    },
    render: (result) => describe(result).join('\n'),
    show: (result, style) => {
      const [first = '', ...rest] = describe(result);
      const skipped = alignCounts(result.result?.skipped ?? {});
      return [...joinFacts([first], style.width).map(style.bold), ...rest, ...skipped.map(style.dim)].join('\n');
    },
  });
}

const states = {
  queued: 'indexing',
  running: 'indexing',
  done: 'complete',
  failed: 'failed',
  cancelled: 'cancelled',
} as const;

function view(repository: string, { id, state, done, total, result, problem }: Operation): Answer {
  return {
    repository,
    state: states[state],
    operation_id: id,
    done,
    ...(total !== undefined && { total }),
    ...(problem !== undefined && { problem }),
    ...(result !== undefined && result !== null && { result: result as Indexed }),
  };
}

function describe({ repository: name, state, operation_id: id, done, total, problem, result }: Answer): string[] {
  const repository = inOneLine(name);
  if (state === 'indexing') {
    return [
      `Indexing "${repository}": ${done} of ${total ?? '?'} files so far, in the background (${id}).`,
      'Indexed files can be searched already. Call status with this operation_id to see the progress.',
    ];
  }
  if (!result)
    return [`Indexing "${repository}" ${state}${problem === undefined ? '' : `: ${inOneLine(problem)}`} (${id}).`];
  const { files, symbols, added, changed, unchanged, removed, skipped, seconds } = result;
  const left = Object.values(skipped).reduce((sum, number) => sum + number, 0);
  return [
    `Indexed "${repository}": ${countOf(files, 'file')} in ${seconds} s.`,
    `${added} added, ${changed} changed, ${unchanged} unchanged, ${removed} removed; ${countOf(symbols, 'symbol')} read; ${left} skipped.`,
  ];
}

function argumentsError(): LoreError {
  return new LoreError('invalid_input', 'Cannot index: expected either a folder or a URL', {
    details: { path: 'arguments.url', expected: 'either project_path or url', received: 'both' },
  });
}

/** Errors name the argument `repo`, which this tool calls `project_path` or `url`. */
function nameArgument(error: unknown, path: string): unknown {
  if (!(error instanceof LoreError) || !['folder', 'arguments.repo'].includes(String(error.details?.path)))
    return error;
  const { word, message, hint, details, cause } = error;
  return new LoreError(word, message, { ...(hint !== undefined && { hint }), details: { ...details, path }, cause });
}
