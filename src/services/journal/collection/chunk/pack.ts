// Packs blocks into chunks: about as much text as one question covers, split where the document has a boundary, each with
// its headings. Together the chunks are the document, without gaps or overlaps.
import type { Steps } from '../../../../core/steps.ts';
import type { DocumentBlock } from './block.ts';
import { splitBlock } from './split.ts';

export interface Chunk {
  /** Its headings, the highest first. */
  headings: string[];
  text: string;
  line: number;
}

/** A chunk ends when the next block would exceed this. */
export const target = 1_400;
/** Maximum length. Code, lists and tables stay whole if their introduction still fits. */
export const longest = 2_800;
/** A shorter section is joined with the next one. */
const short = 500;
/** The same, if the next one has a higher heading. */
const shortest = 120;
/** What introduces code, a list or a table stays with it. */
const introduction = 400;

/** Blocks packed in one step. */
const piecesAtOnce = 500;

export function* packChunks(blocks: readonly DocumentBlock[]): Steps<Chunk[]> {
  const chunks: Chunk[] = [];
  const path: { level: number; name: string }[] = [];
  let open = createOpen();
  let pieces = 0;
  const close = () => {
    if (open.texts.length > 0) {
      chunks.push({ headings: open.headings, text: open.texts.join('\n\n'), line: open.line });
    }
    open = createOpen();
  };

  for (const block of blocks) {
    const level = block.kind === 'heading' ? (block.level ?? 1) : undefined;
    if (level !== undefined) {
      while (path.length > 0 && (path.at(-1)?.level ?? 0) >= level) path.pop();
      // One section per chunk is found best, but a very short one says too little.
      const least = level < open.level ? shortest : short;
      if (open.hasText && open.length >= least) close();
      path.push({ level, name: block.name ?? '' });
    }
    for (const piece of yield* splitBlock(block, target, longest - introduction)) {
      if (++pieces % piecesAtOnce === 0) yield;
      if (open.texts.length > 0 && open.length + 2 + piece.text.length > roomFor(piece, open)) close();
      addTo(open, piece, path);
    }
  }
  close();
  return chunks;
}

interface Open {
  texts: string[];
  length: number;
  line: number;
  headings: string[];
  /** Of the section it began with. */
  level: number;
  /** More than headings. */
  hasText: boolean;
}

function createOpen(): Open {
  return { texts: [], length: 0, line: 0, headings: [], level: 0, hasText: false };
}

function roomFor({ kind }: DocumentBlock, { hasText, length }: Open): number {
  return !hasText || (kind !== 'text' && length <= introduction) ? longest : target;
}

function addTo(
  open: Open,
  { kind, text, line }: DocumentBlock,
  path: readonly { level: number; name: string }[],
): void {
  const isFirst = open.texts.length === 0;
  if (isFirst || (kind === 'heading' && !open.hasText)) {
    open.headings = path.map(({ name }) => name);
    open.level = path.at(-1)?.level ?? 0;
  } else if (kind === 'heading') {
    // Two sections share only their common headings.
    const shared = path.findIndex(({ name }, at) => name !== open.headings[at]);
    if (shared >= 0) open.headings = open.headings.slice(0, shared);
  }
  if (isFirst) open.line = line;
  open.length += text.length + (isFirst ? 0 : 2);
  open.texts.push(text);
  open.hasText ||= kind !== 'heading';
}
