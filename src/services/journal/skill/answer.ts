// The results of skill_search in each of its modes.
import { LoreError } from '../../../core/error.ts';
import type { Node } from '../../../graph/node.ts';
import type { Scope } from '../../../graph/project/scope.ts';
import type { SurveyHit, Titled } from '../../../graph/survey.ts';
import { countVersions, findNewest, getSkill, getVersion, hideShadowed, listSkills, readUses } from './find-skill.ts';
import { readSkillFile } from './read-skill.ts';
import type { SkillAnswer } from './search.ts';
import { dataOf, skillKind, type Uses, viewSkill } from './skill.ts';
import { noteRead, weighUses } from './use-skill.ts';

interface Options {
  version?: string | undefined;
  file?: string | undefined;
  tags?: readonly string[] | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Below this similarity a result is irrelevant. */
const least = { coverage: 0.15, cosine: 0.35 };
const share = { text: 0.6, cosine: 0.4 };
/** How far uses may move a skill up. */
const below = 10;

export async function findSkills(
  { opened, projects: own }: Scope,
  projects: readonly string[],
  query: string,
  { tags, limit }: Options,
): Promise<SkillAnswer> {
  const found = await opened.graph.survey({
    query,
    projects,
    kinds: [skillKind],
    limit: limit + below,
    where: (node) => hasTags(node, tags),
  });
  const counting = new Set(
    hideShadowed(
      own,
      found.map(({ node }) => node),
    ),
  );
  const likely = found.filter(
    ({ node, coverage, cosine }) => counting.has(node) && (coverage >= least.coverage || cosine >= least.cosine),
  );
  const uses = await readUses(
    opened,
    likely.map(({ node }) => node),
  );
  // Not by the fused score, whose scale exaggerates differences among few results.
  const likeness = ({ text, cosine }: SurveyHit) => share.text * text + share.cosine * cosine;
  const weigh = (hit: SurveyHit) => likeness(hit) * weighUses(uses.get(hit.node.id) as Uses);
  return {
    skills: likely
      .sort((a, b) => weigh(b) - weigh(a))
      .slice(0, limit)
      .map((hit) => ({
        ...viewSkill(hit.node, uses.get(hit.node.id) as Uses, own),
        score: Math.round(likeness(hit) * 1000) / 1000,
      })),
  };
}

export async function describeAll(
  scope: Scope,
  projects: readonly string[],
  { tags, limit, cursor = '' }: Options,
): Promise<SkillAnswer> {
  const all = await listSkills(scope, projects);
  const keyOf = (node: Titled) => `${dataOf(node).name} ${node.project}`;
  const rest = all
    .filter((node) => hasTags(node, tags) && keyOf(node) > cursor)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const page = rest.slice(0, limit);
  const uses = await readUses(scope.opened, page);
  const last = page.at(-1);
  return {
    skills: page.map((node) => viewSkill(node, uses.get(node.id) as Uses, scope.projects)),
    ...(last && rest.length > page.length && { next_cursor: keyOf(last) }),
  };
}

export async function readOne(
  scope: Scope,
  projects: readonly string[],
  name: string,
  { version, file, isUse }: Options & { isUse: boolean },
): Promise<SkillAnswer> {
  const newest = await findIn(scope, projects, name);
  const node = version === undefined ? newest : await getVersion(scope, newest, version);
  const content = file === undefined ? node.text : (await readSkillFile(scope.opened, node, file)).text;
  if (file === undefined && isUse) await noteRead(scope, node);
  const uses = await readUses(scope.opened, [node]);
  const { files } = dataOf(node);
  return {
    skills: [viewSkill(node, uses.get(node.id) as Uses, scope.projects)],
    content,
    ...(file !== undefined && { file }),
    ...(files && { files: files.map(({ path, size }) => ({ path, size })) }),
    versions: await countVersions(scope.opened, node.project, name),
  };
}

async function findIn(scope: Scope, projects: readonly string[], name: string): Promise<Node> {
  if (projects.length === 1 || projects === scope.projects) return getSkill(scope, name, 'read', projects);
  const node = await findNewest(scope.opened, projects, name);
  if (node && node.forgottenAt === undefined) return node;
  throw new LoreError('not_found', `Cannot read skill "${name}": no project has it`);
}

function hasTags(node: Pick<Node, 'data'>, tags: readonly string[] = []): boolean {
  const own = dataOf(node).tags ?? [];
  return tags.every((tag) => own.includes(tag));
}
