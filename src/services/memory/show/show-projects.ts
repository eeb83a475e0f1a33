// Projects and changes to them, for a person at a terminal.
import { countOf, hangText, inOneLine, type Style } from '../../../core/text/terminal.ts';
import type { ProjectChange, ProjectListing } from '../project-admin.ts';

/** All of them in short, or one in full. */
export function showProjects(listing: ProjectListing, style: Style): string {
  return listing.whole === true ? describeOne(listing, style) : describeAll(listing, style);
}

export function showChange(change: ProjectChange): string {
  if (change.merged !== undefined) return describeMerge(change);
  if (change.left !== undefined || change.apart !== undefined) return describeSplit(change);
  return `The project is now called "${inOneLine(change.name)}".`;
}

function describeAll({ projects }: ProjectListing, { bold, dim, width }: Style): string {
  return projects
    .flatMap(({ name, id, root, memories, current }) => {
      const head = `${current ? '* ' : '  '}${inOneLine(name)} · ${countOf(memories, 'memory', 'memories')}`;
      return [current ? bold(head) : head, ...hangText('    ', `${id} · ${root}`, width).map(dim)];
    })
    .join('\n');
}

function describeOne({ projects, notice }: ProjectListing, { bold, width }: Style): string {
  const [one] = projects;
  if (!one) return '';
  const facts: [string, readonly string[]][] = [
    ['Id', [one.id]],
    ['Memories', [String(one.memories)]],
    ['Folders', one.folders],
    ['Remotes', one.remotes],
    ['Merged projects', one.members.slice(1)],
  ];
  const lines = facts.flatMap(([title, values]) => values.flatMap((value) => hangText(`${title}: `, value, width)));
  const question = notice === undefined ? [] : ['', ...hangText('', notice, width)];
  return [bold(inOneLine(one.name)), ...lines, ...question].join('\n');
}

function describeMerge({ name, merged = '', memories = 0 }: ProjectChange): string {
  const count = countOf(memories, 'memory', 'memories');
  return [
    `Merged "${inOneLine(merged)}" into "${inOneLine(name)}": they share ${count}.`,
    'To undo it, run lore project split in a folder of the merged project.',
  ].join('\n');
}

function describeSplit({ left, apart = [] }: ProjectChange): string {
  if (left === undefined) {
    return `This folder stays separate from ${apart.map((name) => `"${inOneLine(name)}"`).join(', ')}.`;
  }
  return [
    'This folder has its own project again, with the memories it had before the merge.',
    `Memories written since then stay in "${inOneLine(left)}".`,
  ].join('\n');
}
