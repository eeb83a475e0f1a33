// The output of the reading tools.
import type { ImageContent, ResourceLink } from '../../../core/content.ts';
import * as s from '../../../core/schema.ts';

export const fileShape = {
  path: s.string({ description: 'Relative to the repository root' }),
  repo: s.optional(s.string({ description: 'Address of a clone' })),
  size: s.integer({ description: 'Bytes' }),
  modified: s.string(),
  kind: s.oneOf(['text', 'image', 'binary']),
  text: s.optional(s.string({ description: 'The lines, unchanged' })),
  start: s.optional(s.integer()),
  end: s.optional(s.integer()),
  total_lines: s.optional(s.integer()),
  next_start: s.optional(s.integer({ description: 'Line to continue at' })),
  offset: s.optional(s.integer({ description: 'First byte' })),
  next_offset: s.optional(s.integer({ description: 'Byte to continue at' })),
  cut: s.optional(s.boolean({ description: 'The line is truncated' })),
  encoding: s.optional(s.string()),
  symbol: s.optional(s.string()),
  type: s.optional(s.string({ description: 'For binary files, by the first bytes' })),
  first_bytes: s.optional(s.string({ description: 'Hexadecimal' })),
} as const;

const fileSchema = s.object(fileShape);
export type FileView = s.Infer<typeof fileSchema>;

/** The image of a view, or a link to a file that clients can open: in `content`, not repeated as base64 in the data. */
const media = new WeakMap<FileView, ImageContent | ResourceLink>();

export function keepMedia(view: FileView, content: ImageContent | ResourceLink): void {
  media.set(view, content);
}

export function mediaOf(view: FileView): ImageContent | ResourceLink | undefined {
  return media.get(view);
}

/** The resource of a file of the project. */
export function nameFile(path: string): string {
  return `lore://file/${path.split('/').map(encodeURIComponent).join('/')}`;
}
