// Blocks into chunks: about as much text as one question is about, cut where the document itself has a joint, each with the
// headings it stands under. Together the chunks are the document: nothing is left out and nothing stands in two.
import type { Steps } from '../../../../core/steps.ts';
import type { DocumentBlock } from './block.ts';
import { splitBlock } from './split.ts';

export interface Chunk {
  /** Names of the headings it stands under, the highest first. */
  headings: string[];
  text: string;
  line: number;
}

/** A chunk is closed when the next block would take it beyond. */
export const target = 1_400;
/** Nothing is ever longer. Code, a list or a table stays whole while its introduction still has room beside it. */
export const longest = 2_800;
/** A section shorter than this goes on with the next one. */
const short = 500;
/** The same, where the next one is of a higher order. */
const shortest = 120;
/** What introduces code, a list or a table stays with it. */
const introduction = 400;

/** So many pieces are packed in one step. */
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
      // One section a chunk is found best; a very short one says too little alone.
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
    // Two sections stand under what both stand under.
    const shared = path.findIndex(({ name }, at) => name !== open.headings[at]);
    if (shared >= 0) open.headings = open.headings.slice(0, shared);
  }
  if (isFirst) open.line = line;
  open.length += text.length + (isFirst ? 0 : 2);
  open.texts.push(text);
  open.hasText ||= kind !== 'heading';
}
