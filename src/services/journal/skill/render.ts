// Skills for a model, fenced as data like all stored text: the model decides from the user's request whether to follow one.
import { fenceAsData } from '../../../core/text/fence.ts';
import type { SkillAnswer } from './search.ts';
import type { SkillView } from './skill.ts';

export function renderSkills(answer: SkillAnswer): string {
  const { skills, content, next_cursor: next } = answer;
  const [first] = skills;
  if (!first) return 'No matching skill.';
  if (content !== undefined) return renderOne(first, content, answer);
  const fenced = fenceAsData(
    skills.map((skill) => ({ id: skill.name, label: labelOf(skill), text: skill.description })),
  );
  const lines = [fenced, 'skill_search with a name returns one in full.'];
  if (next !== undefined) lines.push(`There are more: cursor ${next}`);
  return lines.join('\n');
}

function renderOne(skill: SkillView, content: string, { file, files = [], versions = 1 }: SkillAnswer): string {
  const id = file === undefined ? skill.name : `${skill.name}/${file}`;
  const paths = files.map(({ path }) => path);
  const fenced = fenceAsData([
    { id, label: versions > 1 ? `${labelOf(skill)} · ${versions} versions` : labelOf(skill), text: content },
    ...(file === undefined && paths.length > 0 ? [{ id: 'files', text: paths.join('\n') }] : []),
  ]);
  if (file !== undefined) return fenced;
  const after = JSON.stringify({ name: skill.name, mode: 'used', success: true });
  return [
    fenced,
    'It is a stored procedure of this project: use it as far as it helps with the request of the user.',
    `Then report how it went: skill_save ${after}`,
  ].join('\n');
}

function labelOf({ version, tags = [], uses, succeeded, failed, score, project }: SkillView): string {
  const words = [`version ${version}`];
  if (uses > 0) words.push(`used ${uses} times: ${succeeded} succeeded, ${failed} failed`);
  if (tags.length > 0) words.push(tags.map((tag) => `#${tag}`).join(' '));
  if (project !== undefined) words.push(`in ${project}`);
  if (score !== undefined) words.push(`score ${score.toFixed(2)}`);
  return words.join(' · ');
}
