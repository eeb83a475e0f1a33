// A skill: a named procedure with a node of kind `skill` for each version. A node of kind `skill_name` represents the name:
// versions are counted by their edges to it, and its data counts uses. Ids are derived from names, so that of two processes
// that save the same version only one succeeds.
import { LoreError } from '../../../core/error.ts';
import * as s from '../../../core/schema.ts';
import { skillFile } from '../../../core/skill.ts';
import type { Node } from '../../../graph/node.ts';
import { nameNode } from '../../../graph/project/scope.ts';

export const skillKind = 'skill';
export const nameKind = 'skill_name';
export const fileKind = 'skill_file';
/** From a version to its name. */
export const versionEdge = 'version_of';

const longestName = 64;
export const longestContent = 200_000;
export const longestDescription = 1_024;

export interface FrontMatter {
  name: string;
  description: string;
  [key: string]: unknown;
}

export interface KeptFile {
  /** Within the skill's folder, with slashes. */
  path: string;
  id: string;
  digest: string;
  size: number;
  executable?: true;
}

export interface SkillData {
  name: string;
  description: string;
  /** Version number, from 1. */
  number: number;
  /** The author's label of this version. */
  version?: string;
  tags?: readonly string[];
  front: FrontMatter;
  /** Its text has its own front matter. */
  whole?: true;
  /** Of its `SKILL.md`. */
  digest: string;
  size: number;
  files?: readonly KeptFile[];
}

export function dataOf(node: Pick<Node, 'data'>): SkillData {
  return node.data as unknown as SkillData;
}

export function nameId(project: string, name: string): string {
  return nameNode('skn', project, name);
}

export function versionId(project: string, name: string, number: number): string {
  return nameNode('skl', project, name, String(number));
}

export function uriOf(name: string, path: string = skillFile): string {
  return `skill://${name}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

const nameRule = /^(?!.*--)[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
export const nameExpected = 'lower-case letters, digits and single hyphens, at most 64';

export function isName(name: string): boolean {
  return nameRule.test(name);
}

/** The most likely valid name. */
export function proposeName(name: string): string | undefined {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longestName)
    .replace(/^-+|-+$/g, '');
  return plain === '' ? undefined : plain;
}

export function checkName(name: string): void {
  if (isName(name)) return;
  const proposal = proposeName(name);
  throw new LoreError('invalid_input', `Cannot name a skill "${name.slice(0, 80)}": it is not a valid skill name`, {
    ...(proposal !== undefined && { hint: `Say "${proposal}".` }),
    details: { path: 'arguments.name', expected: nameExpected, received: name.slice(0, 80) },
  });
}

/** Uses of a skill and their results. */
export interface Uses {
  uses: number;
  succeeded: number;
  failed: number;
}

export function usesOf(head: Pick<Node, 'data'> | undefined): Uses {
  const { read = 0, succeeded = 0, failed = 0, used = 0 } = (head?.data ?? {}) as Record<string, number>;
  // A reported result usually follows a read here; together they are one use.
  return { uses: Math.max(read, succeeded + failed + used), succeeded, failed };
}

export const skillShape = s.object({
  name: s.string(),
  description: s.string(),
  version: s.string(),
  saved: s.string(),
  tags: s.optional(s.list(s.string())),
  uses: s.integer(),
  succeeded: s.integer(),
  failed: s.integer(),
  score: s.optional(s.number()),
  project: s.optional(s.string()),
});

export type SkillView = s.Infer<typeof skillShape>;

export function viewSkill(
  node: Pick<Node, 'data' | 'createdAt' | 'project'>,
  uses: Uses,
  own: readonly string[],
): SkillView {
  const { name, description, tags } = dataOf(node);
  return {
    name,
    description,
    version: versionOf(node),
    saved: new Date(node.createdAt).toISOString(),
    ...(tags && tags.length > 0 && { tags: [...tags] }),
    ...uses,
    ...(!own.includes(node.project) && { project: node.project }),
  };
}

export function versionOf(node: Pick<Node, 'data'>): string {
  const { version, number } = dataOf(node);
  return version ?? String(number);
}
