// Merges, splits and renames projects for a person. Merging moves nothing: a merged project is read together with its target,
// and can be split again.
import { LoreError } from '../../core/error.ts';
import { redact } from '../../core/secret/redact.ts';
import { list, sql } from '../../store/sql.ts';
import type { OpenGraph } from '../open.ts';
import { type KnownProject, listKnown } from './list.ts';
import { identifyFolder } from './project.ts';
import { resolvePlace } from './resolve.ts';
import type { Scope } from './scope.ts';
import { followMerges, listDecisions, listPlaces, mergeProject, nameProject, writePlace } from './table.ts';
import { isUser } from './user.ts';

export interface ListedProject extends KnownProject {
  memories: number;
  /** Folders where it has been seen. */
  folders: string[];
  /** Current and former remotes. */
  remotes: string[];
  current: boolean;
}

export async function listWithCounts({ opened, project, projects }: Scope): Promise<ListedProject[]> {
  const [known, places] = await Promise.all([listKnown(opened), listPlaces(opened.store)]);
  const { id, name, root } = project;
  const all = known.some((one) => one.id === id) ? known : [{ id, name, root, members: [...projects] }, ...known];
  const counts = await countMemories(
    opened,
    all.flatMap(({ members }) => members),
  );
  return all.map((one) => {
    const own = places.filter((place) => one.members.includes(place.project));
    const keys = own.flatMap((place) => place.keys).filter((key) => key.startsWith('git:'));
    return {
      ...one,
      memories: one.members.reduce((sum, member) => sum + (counts.get(member) ?? 0), 0),
      folders: [...new Set(own.filter((place) => !place.place.includes('@')).map(({ path }) => path))],
      remotes: [...new Set(keys.map((key) => key.slice('git:'.length)))],
      current: one.id === id,
    };
  });
}

/** Both counts are read from an index alone. */
async function countMemories({ store }: OpenGraph, projects: readonly string[]): Promise<Map<string, number>> {
  const rows = await store.all<{ project: string; n: number }>(
    sql`select project, sum(n) as n from (
          select project, count(*) as n from node where project in ${list(projects)} and kind = 'memory' group by project
          union all
          select project, -count(*) as n from node where project in ${list(projects)} and kind = 'memory'
            and forgotten_at is not null group by project) as counted group by project`,
  );
  return new Map(rows.map(({ project, n }) => [project, Number(n)]));
}

/** By id, folder or name; an ambiguous name is refused. */
export function chooseProject<P extends KnownProject & { folders: readonly string[] }>(
  known: readonly P[],
  named: string,
): P {
  // A project whose files are not readable has no root.
  const byId = known.filter(
    ({ id, members, root, folders }) => named !== '' && [id, root, ...members, ...folders].includes(named),
  );
  const found = byId.length > 0 ? byId : known.filter(({ name }) => name === named);
  const [one, ...others] = found;
  if (one && others.length === 0) return one;
  const state = one ? `${found.length} projects have this name` : 'no project has this name, folder or id';
  const choices = (one ? found : known).map(({ id, name }) => `${name} (${id})`).join(', ') || 'none yet';
  throw new LoreError(one ? 'conflict' : 'not_found', `Cannot select project "${named}": ${state}`, {
    hint: `${one ? 'Use an id' : 'Known projects'}: ${choices}.`,
  });
}

/** Merges both under the name of the second. */
export async function mergeInto({ opened, actor }: Scope, from: KnownProject, into: KnownProject): Promise<void> {
  if (isUser(from.id) || isUser(into.id)) {
    throw new LoreError(
      'forbidden',
      `Cannot merge "${from.name}" into "${into.name}": the user’s own memories are not a project`,
      {
        hint: 'Work in the folder of a project, or name both projects.',
      },
    );
  }
  if (from.id === into.id) {
    throw new LoreError('conflict', `Cannot merge "${from.name}" into "${into.name}": they are already one project`);
  }
  const now = opened.graph.now();
  await opened.store.tx(
    async (tx) => {
      // Another process may have merged them or their targets since they were listed.
      const decisions = await listDecisions(tx);
      const [part, whole] = [from.id, into.id].map((id) => followMerges(decisions, id)) as [string, string];
      if (part !== whole) await mergeProject(tx, { id: part, into: whole, by: actor, now });
    },
    { taken: async () => false },
  );
}

/** The effect of `split`: the project left its target, or stays separate from the suggested ones. */
export type Split = { left: string } | { apart: string[] };

export async function splitFolder({ opened, project, related, actor }: Scope): Promise<Split> {
  if (project.root === '') throw new LoreError('forbidden', 'Cannot split this folder: it is not a project');
  const now = opened.graph.now();
  const place = await resolvePlace(opened, identifyFolder(project.root));
  const settle = { ...place, settled: true };
  if (place.project === project.id) {
    if (related.length === 0) throw splitError(project.name, await listParts(opened, project.id));
    await opened.store.tx((tx) => writePlace(tx, settle, now), { taken: async () => false });
    return { apart: related.map(({ name }) => name) };
  }
  await opened.store.tx(
    async (tx) => {
      await mergeProject(tx, { id: place.project, into: '', by: actor, now });
      await writePlace(tx, settle, now);
    },
    { taken: async () => false },
  );
  return { left: project.name };
}

/** The folders of the projects merged into a project. */
async function listParts({ store }: OpenGraph, id: string): Promise<string[]> {
  const [places, decisions] = await Promise.all([listPlaces(store), listDecisions(store)]);
  return places
    .filter(({ project }) => project !== id && followMerges(decisions, project) === id)
    .map(({ path }) => path);
}

function splitError(name: string, parts: readonly string[]): LoreError {
  return new LoreError('conflict', `Cannot split this folder: "${name}" is its own project`, {
    hint:
      parts.length === 0
        ? 'It was not merged into another one.'
        : `To undo a merge into it, run lore project split in one of these folders: ${parts.join(', ')}.`,
  });
}

export async function renameProject({ opened, actor }: Scope, id: string, given: string): Promise<string> {
  const name = redact(given.trim()).text;
  if (name === '' || name.length > 100 || /\p{Cc}|\p{Cf}/u.test(name)) {
    throw new LoreError(
      'invalid_input',
      `Cannot rename the project to ${JSON.stringify(given.slice(0, 120))}: the name is not valid`,
      {
        hint: 'A name has 1 to 100 characters and no line breaks or invisible characters.',
      },
    );
  }
  const now = opened.graph.now();
  await opened.store.tx((tx) => nameProject(tx, { id, name, by: actor, now }), { taken: async () => false });
  return name;
}
