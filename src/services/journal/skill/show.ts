// Skills for a person at a terminal.
import {
  countOf,
  describeTime,
  hangText,
  inOneLine,
  joinFacts,
  moreLine,
  type Style,
  wrapText,
} from '../../../core/text/terminal.ts';
import type { SkillAnswer } from './search.ts';
import type { SkillView } from './skill.ts';

export function showSkills(
  { skills, content, file, files = [], next_cursor: next }: SkillAnswer,
  style: Style,
): string {
  const { bold, dim, width } = style;
  const [first] = skills;
  if (!first) return 'No matching skill.';
  if (content === undefined) {
    const lines = skills.flatMap((skill) => [
      bold(inOneLine(skill.name)),
      ...hangText('  ', skill.description, width),
      ...joinFacts(factsOf(skill, style.now), width - 2).map((line) => `  ${dim(line)}`),
    ]);
    if (next !== undefined) lines.push(dim(moreLine));
    return lines.join('\n');
  }
  return [
    bold(inOneLine(file === undefined ? first.name : `${first.name}/${file}`)),
    ...joinFacts(factsOf(first, style.now), width).map(dim),
    ...(file === undefined && files.length > 0
      ? joinFacts(
          files.map(({ path }) => path),
          width,
        ).map(dim)
      : []),
    '',
    ...wrapText(content, width),
  ].join('\n');
}

function factsOf({ version, saved, tags = [], uses, succeeded, failed, project, score }: SkillView, now: number) {
  return [
    `version ${version}`,
    describeTime(saved, now),
    uses > 0 ? `used ${countOf(uses, 'time')}: ${succeeded} succeeded, ${failed} failed` : undefined,
    tags.map((tag) => `#${tag}`).join(' '),
    project && `in ${project}`,
    score === undefined ? undefined : `score ${score.toFixed(2)}`,
  ];
}
