// Reads the files of a skill, and describes a skill for the protocol's extension.
import { LoreError } from '../../../core/error.ts';
import { mimeTypeOf, type Skill, skillFile } from '../../../core/skill.ts';
import type { Node } from '../../../graph/node.ts';
import type { OpenGraph } from '../../../graph/open.ts';
import { writeSkillFile } from './front-matter.ts';
import { dataOf, uriOf } from './skill.ts';

export function describeEntry(node: Pick<Node, 'data'>): Skill {
  const { name, front, digest, size, files = [] } = dataOf(node);
  return {
    uri: uriOf(name),
    frontmatter: front,
    resources: [
      { uri: uriOf(name), digest, size },
      ...files.map((file) => ({ uri: uriOf(name, file.path), digest: file.digest, size: file.size })),
    ],
  };
}

export async function readSkillFile(
  { graph }: OpenGraph,
  node: Node,
  path: string,
): Promise<{ text: string; mimeType: string }> {
  const data = dataOf(node);
  if (path === skillFile) return { text: writeSkillFile(node.text, data), mimeType: mimeTypeOf(path) };
  const kept = data.files?.find((file) => file.path === path);
  const file = kept && (await graph.get(kept.id));
  if (file) return { text: file.text, mimeType: mimeTypeOf(path) };
  const files = [skillFile, ...(data.files ?? []).map((other) => other.path)];
  throw new LoreError('not_found', `Cannot read "${path}" of skill "${data.name}": there is no such file`, {
    hint: `It has ${files.slice(0, 20).join(', ')}${files.length > 20 ? ' …' : ''}.`,
    details: { path: 'arguments.file', expected: "one of the skill's files", received: path },
  });
}
