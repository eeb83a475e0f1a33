// Finding skills by name, by version and as a list.
import { LoreError } from '../../../core/error.ts';
import { didYouMean } from '../../../core/text/similar-names.ts';
import { countEdges } from '../../../graph/census.ts';
import type { Node } from '../../../graph/node.ts';
import type { OpenGraph } from '../../../graph/open.ts';
import type { Scope } from '../../../graph/project/scope.ts';
import { listTitled, type Titled } from '../../../graph/survey.ts';
import { dataOf, nameId, skillKind, type Uses, usesOf, versionEdge, versionId } from './skill.ts';

/** More than anyone would read. */
const mostListed = 1_000;
const pageOfVersions = 20;

export function countVersions(opened: OpenGraph, project: string, name: string): Promise<number> {
  return countEdges(opened, nameId(project, name), versionEdge);
}

/** The newest version in the first project that has it; a deleted skill only if there is no other. */
export async function findNewest(
  opened: OpenGraph,
  projects: readonly string[],
  name: string,
): Promise<Node | undefined> {
  let deleted: Node | undefined;
  for (const project of projects) {
    const count = await countVersions(opened, project, name);
    const node = count === 0 ? undefined : await opened.graph.get(versionId(project, name, count));
    if (node && node.forgottenAt === undefined) return node;
    deleted ??= node;
  }
  return deleted;
}

export async function getSkill(scope: Scope, name: string, action: string, projects = scope.projects): Promise<Node> {
  const node = await findNewest(scope.opened, projects, name);
  if (node && node.forgottenAt === undefined) return node;
  const state = node ? 'it was deleted' : `project "${scope.project.name}" has no such skill`;
  const names = node ? [] : (await listSkills(scope, projects)).map((one) => dataOf(one).name);
  throw new LoreError('not_found', `Cannot ${action} skill "${name}": ${state}`, {
    hint: node
      ? 'Restore it with skill_save, mode "restore".'
      : (didYouMean(name, names) ?? 'skill_search lists all skills.'),
    details: { path: 'arguments.name', expected: 'the name of a skill', received: name },
  });
}

/** By the author's label (the newest that has it), else by its number. */
export async function getVersion(scope: Scope, newest: Node, version: string): Promise<Node> {
  const { name, number: count } = dataOf(newest);
  const idOf = (number: number) => versionId(newest.project, name, number);
  for (let from = count; from > 0; from -= pageOfVersions) {
    const numbers = Array.from({ length: Math.min(pageOfVersions, from) }, (_, at) => from - at);
    const nodes = await scope.opened.graph.getAll(numbers.map(idOf));
    const named = nodes.find((node) => dataOf(node).version === version && node.forgottenAt === undefined);
    if (named) return named;
  }
  const number = /^[1-9]\d{0,8}$/.test(version) ? Number(version) : 0;
  const numbered = number > 0 && number <= count ? await scope.opened.graph.get(idOf(number)) : undefined;
  if (numbered && numbered.forgottenAt === undefined) return numbered;
  throw new LoreError('not_found', `Cannot read version "${version}" of skill "${name}": it does not exist`, {
    hint: `Versions are numbered from 1 to ${count}.`,
    details: { path: 'arguments.version', expected: `1 to ${count}, or the author's label`, received: version },
  });
}

/** All skills of the caller's project or of others, by name, without their text. */
export async function listSkills(scope: Scope, projects = scope.projects): Promise<Titled[]> {
  const { opened, projects: own } = scope;
  const nodes = await listTitled(opened.store, {
    projects,
    kind: skillKind,
    limit: mostListed * projects.length,
    now: opened.graph.now(),
  });
  return hideShadowed(own, nodes).sort((a, b) => (dataOf(a).name < dataOf(b).name ? -1 : 1));
}

/** Merged projects may each have a skill of the same name: the result of `findNewest` takes precedence. */
export function hideShadowed<T extends Pick<Node, 'data' | 'project'>>(
  own: readonly string[],
  nodes: readonly T[],
): T[] {
  const places = new Map<string, number>();
  for (const { project, data } of nodes) {
    const place = own.indexOf(project);
    const { name } = dataOf({ data });
    if (place >= 0) places.set(name, Math.min(place, places.get(name) ?? place));
  }
  return nodes.filter(
    (node) => !own.includes(node.project) || places.get(dataOf(node).name) === own.indexOf(node.project),
  );
}

/** How often each was used. */
export async function readUses(
  opened: OpenGraph,
  nodes: readonly Pick<Node, 'id' | 'data' | 'project'>[],
): Promise<Map<string, Uses>> {
  const idOf = (node: Pick<Node, 'data' | 'project'>) => nameId(node.project, dataOf(node).name);
  const heads = new Map((await opened.graph.getAll(nodes.map(idOf))).map((head) => [head.id, head]));
  return new Map(nodes.map((node) => [node.id, usesOf(heads.get(idOf(node)))]));
}
