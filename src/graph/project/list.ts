// Lists all projects with entries, as people see them: merged ones are one, under the name that a person chose.

import { listProjects } from '../census.ts';
import type { OpenGraph } from '../open.ts';
import { followMerges, listDecisions, listMembers, type ProjectFolder } from './table.ts';

export interface KnownProject {
  id: string;
  name: string;
  /** Where it was first seen. */
  root: string;
  /** Its own id and those merged into it. */
  members: string[];
}

export async function listKnown(opened: OpenGraph): Promise<KnownProject[]> {
  const [nodes, decisions] = await Promise.all([listProjects(opened), listDecisions(opened.store)]);
  const names = new Map(decisions.map(({ id, name }) => [id, name]));
  const known = new Map<string, KnownProject>();
  for (const { project, title, data } of nodes) {
    const id = followMerges(decisions, project);
    // The project's own node describes it better than those of its parts.
    if (known.has(id) && project !== id) continue;
    const name = names.get(id) || title;
    known.set(id, { id, name, root: String(data.root ?? ''), members: listMembers(decisions, id) });
  }
  return [...known.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1));
}

/** Projects with entries that a folder may belong to. */
export async function findRelated(opened: OpenGraph, place: ProjectFolder): Promise<KnownProject[]> {
  if (place.settled || place.related.length === 0) return [];
  const known = await listKnown(opened);
  const groupOf = (id: string) => known.find(({ members }) => members.includes(id));
  const own = groupOf(place.project)?.id ?? place.project;
  const found = place.related.flatMap((id) => groupOf(id) ?? []);
  return [...new Set(found)].filter(({ id }) => id !== own);
}
