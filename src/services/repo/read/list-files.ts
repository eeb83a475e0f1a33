// list_files: lists the files of the repository in order and in pages, without ignored ones.
import * as s from '../../../core/schema.ts';
import { countOf, inOneLine, quoteName, type Style } from '../../../core/text/terminal.ts';
import { defineTool } from '../../../core/tool.ts';
import type { RepoContext } from '../context.ts';
import { describeSize } from './file-show.ts';
import { repoArgument } from './read-file.ts';

const output = s.object({
  path: s.string(),
  repo: s.optional(s.string()),
  entries: s.list(
    s.object({
      path: s.string(),
      size: s.optional(s.integer({ description: 'Bytes; absent for folders' })),
    }),
  ),
  next_cursor: s.optional(s.string()),
});
export type Listing = s.Infer<typeof output>;

/** Without a pattern this is an overview; with one, all files are matched. */
const usualDepth = 2;

export function createListFilesTool(context: RepoContext) {
  return defineTool({
    name: 'list_files',
    title: 'List files',
    description:
      'List the files of the repository with their sizes, except those that .gitignore and .loreignore exclude. A path that ends in / is a folder that depth did not reach.',
    effect: 'read',
    main: 'path',
    examples: [
      ['lore list files src', 'a folder'],
      ["lore list files --glob '**/*.test.ts'", 'by pattern'],
    ],
    openWorld: true,
    input: s.object({
      path: s.withDefault(s.string({ max: 4_096, description: 'A folder' }), ''),
      depth: s.optional(s.integer({ min: 1, max: 256, description: `Default ${usualDepth}; with glob, all` })),
      glob: s.optional(s.string({ min: 1, max: 300, description: 'Like *.ts or src/**/*.{ts,tsx}' })),
      repo: repoArgument,
      limit: s.withDefault(s.integer({ min: 1, max: 2_000 }), 200),
      cursor: s.optional(s.string({ max: 12_000 })),
    }),
    output,
    async run({ path, depth, glob, repo, limit, cursor }, call) {
      const { listFiles } = await import('./listing.ts');
      const place = await context.locate(call, repo);
      const bound = depth ?? (glob === undefined ? usualDepth : Number.POSITIVE_INFINITY);
      return listFiles(place, { path, depth: bound, glob, limit, cursor }, call.signal);
    },
    render: (listing) => renderListing(listing),
    show: (listing, style) => showListing(listing, style),
  });
}

function renderListing({ path, entries, next_cursor: next }: Listing): string {
  if (entries.length === 0) return `There are no files${path === '' ? '' : ` in "${inOneLine(path)}"`} that fit.`;
  const lines = entries.map(
    ({ path: name, size }) => `${quoteName(name)}${size === undefined ? '' : `  ${describeSize(size)}`}`,
  );
  return [...lines, ...(next === undefined ? [] : [`There are more: cursor ${next}`])].join('\n');
}

function showListing({ path, entries, next_cursor: next }: Listing, style: Style): string {
  if (entries.length === 0) return `There are no files${path === '' ? '' : ` in "${inOneLine(path)}"`} that fit.`;
  const sizes = entries.map(({ size }) => (size === undefined ? '' : describeSize(size)));
  const width = Math.max(...sizes.map((size) => size.length));
  const lines = entries.map(
    ({ path: name }, at) => `${style.dim((sizes[at] ?? '').padStart(width))}  ${inOneLine(name)}`,
  );
  const more = next === undefined ? [] : [style.dim(`${countOf(entries.length, 'entry', 'entries')}; there are more`)];
  return [...lines, ...more].join('\n');
}
