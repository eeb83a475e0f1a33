// The output of the reading tools.
import type { ImageContent } from '../../../core/content.ts';
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
  cut: s.optional(s.boolean({ description: 'The line is truncated' })),
  encoding: s.optional(s.string()),
  symbol: s.optional(s.string()),
  type: s.optional(s.string({ description: 'For binary files, by the first bytes' })),
  first_bytes: s.optional(s.string({ description: 'Hexadecimal' })),
} as const;

const fileSchema = s.object(fileShape);
export type FileView = s.Infer<typeof fileSchema>;

/** The image of a view, in `content`, where clients show it; not repeated as base64 in the data. */
const images = new WeakMap<FileView, ImageContent>();

export function keepImage(view: FileView, image: ImageContent): void {
  images.set(view, image);
}

export function imageOf(view: FileView): ImageContent | undefined {
  return images.get(view);
}
