// Imports skills from folders into a project, and exports them.
import { LoreError } from '../../../core/error.ts';
import { skillFile } from '../../../core/skill.ts';
import { countOf } from '../../../core/text/terminal.ts';
import type { Node } from '../../../graph/node.ts';
import type { Scope } from '../../../graph/project/scope.ts';
import { getSkill, listSkills } from './find-skill.ts';
import { findSkillFolders, type Left, readSkillFolder } from './folder-read.ts';
import { type OutgoingFile, type Written, writeFiles } from './folder-write.ts';
import { readFrontMatter } from './front-matter.ts';
import { readSkillFile } from './read-skill.ts';
import { dataOf, versionOf } from './skill.ts';
import { storeSkill } from './store-skill.ts';

interface Imported {
  skills: { name: string; action: string; version: string; files: number }[];
  left: Left[];
  redacted: number;
}

/** A problem with one skill is reported and does not affect the others. */
export async function importSkills(
  scope: Scope,
  named: readonly string[],
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<Imported> {
  const result: Imported = { skills: [], left: [], redacted: 0 };
  const folders = [...new Set((await Promise.all(named.map(findSkillFolders))).flat())];
  for (const folder of folders) {
    try {
      const { content, files, left } = await readSkillFolder(folder);
      const front = await readFrontMatter(content, skillFile);
      if (!front) throw new LoreError('invalid_input', `Cannot import "${folder}": its SKILL.md has no front matter`);
      result.left.push(...left);
      if (dryRun) {
        result.skills.push({ name: front.name, action: 'found', version: '', files: files.length });
        continue;
      }
      const { action, node, redacted } = await storeSkill(scope, { name: front.name, content, files });
      result.redacted += redacted;
      result.skills.push({ name: front.name, action, version: versionOf(node), files: files.length });
    } catch (error) {
      if (!(error instanceof LoreError) || error.word !== 'invalid_input') throw error;
      const reason = error.message.replace(/^Cannot [^:]*: /, '');
      result.left.push({ path: folder, reason: error.hint === undefined ? reason : `${reason}. ${error.hint}` });
    }
  }
  if (result.skills.length > 0) return result;
  const [first] = result.left;
  throw new LoreError(
    'invalid_input',
    `Cannot import skills from "${named.join('", "')}": ${first ? `${first.path}: ${first.reason}` : 'no folder there has a SKILL.md'}`,
    {
      hint: 'A skill is a folder with a SKILL.md, which begins with its name and description between lines of dashes.',
    },
  );
}

interface Exported extends Written {
  skills: string[];
}

/** All skills of the project, or those that are named. */
export async function exportSkills(
  scope: Scope,
  folder: string,
  names: readonly string[],
  { force = false }: { force?: boolean } = {},
): Promise<Exported> {
  const wanted = names.length > 0 ? names : (await listSkills(scope)).map((node) => dataOf(node).name);
  const files: OutgoingFile[] = [];
  for (const name of wanted) files.push(...(await readAll(scope, await getSkill(scope, name, 'export'))));
  return { skills: [...wanted], ...writeFiles(folder, files, force) };
}

async function readAll({ opened }: Scope, node: Node): Promise<OutgoingFile[]> {
  const { name, files = [] } = dataOf(node);
  const all: OutgoingFile[] = [];
  for (const { path, executable = false } of [{ path: skillFile, executable: false }, ...files]) {
    all.push({ path: `${name}/${path}`, text: (await readSkillFile(opened, node, path)).text, executable });
  }
  return all;
}

export function describeImported({ skills, left, redacted }: Imported): string {
  return [
    ...skills.map(({ name, action, version, files }) =>
      [`${action} ${name}`, version && `version ${version}`, files > 0 && countOf(files, 'other file')]
        .filter(Boolean)
        .join(', '),
    ),
    ...left.map(({ path, reason }) => `skipped ${path}: ${reason}`),
    ...(redacted > 0 ? [`${countOf(redacted, 'secret was', 'secrets were')} redacted`] : []),
  ].join('\n');
}

export function describeExported({ skills, written, unchanged }: Exported): string {
  const same = unchanged > 0 ? `, ${unchanged} unchanged` : '';
  return `${countOf(skills.length, 'skill')}: ${countOf(written, 'file')} written${same}`;
}
