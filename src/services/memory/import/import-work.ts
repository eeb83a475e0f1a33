// Bringing foreign memories in: each is kept under an id that its words and its place give, so that reading the same again
// adds nothing, and a process that is killed is simply followed by another. Transcripts are handed to `learn`.
import { LoreError } from '../../../core/error.ts';
import type { LearningRules } from '../../../core/learning.ts';
import { redact } from '../../../core/secret/redact.ts';
import { ensureProject, nameNode, type Scope } from '../../../graph/project/scope.ts';
import { findSame } from '../similar.ts';
import { type MemoryDraft, storeMemory } from '../store-memory.ts';
import type { ImportFormat } from './import-format.ts';
import { readKuzu } from './import-kuzu.ts';
import { learnTranscript } from './import-learn.ts';
import { readMarkdown } from './import-markdown.ts';
import { readMcpMemory } from './import-mcp-memory.ts';
import { offer, type Piece, type Thing } from './import-piece.ts';
import { type ImportSource, readLines, readText } from './import-source.ts';
import type { Tally } from './import-tally.ts';

interface ImportOptions {
  dryRun: boolean;
  /** Other sources are imported with it. */
  amongOthers: boolean;
  tally: Tally;
  /** Rules for learning from transcripts. */
  rules: LearningRules;
  /** The project of a folder that a transcript names. */
  enter(folder: string): Promise<Scope>;
  /** How much of the source is done, from 0 to 1. */
  report(share: number): void;
}

export async function importSource(
  scope: Scope,
  source: ImportSource,
  format: ImportFormat,
  options: ImportOptions,
): Promise<void> {
  if (!options.dryRun) await ensureProject(scope);
  const now = scope.opened.graph.now();
  const statedAt = source.writtenAt;
  const counted = countParts(source, options.report);
  if (format === 'claude-code') return learnTranscript(scope, readLines(counted), options);
  if (format === 'mcp-memory') return keepPieces(scope, readMcpMemory(readLines(counted), statedAt), format, options);
  const text = await readText(source);
  if (format === 'kuzu') return keepPieces(scope, readKuzu(text, now), format, options, true);
  const { name } = source;
  const { amongOthers } = options;
  const { isMemoryFile } = await import('../review/file.ts');
  const isOwn = isMemoryFile(text);
  const pieces = isOwn ? [await readOwn(text, now)] : readMarkdown(text, { name, statedAt, amongOthers });
  return keepPieces(scope, pieces, format, options, true);
}

/** A file that `lore export --format markdown` wrote. */
async function readOwn(text: string, now: number): Promise<Piece> {
  const { readFile } = await import('../review/file.ts');
  const file = readFile(text);
  if ('problem' in file) return { left: 'unreadable' };
  const { id: _, expires: expiresAt, ...draft } = file;
  if (expiresAt !== undefined && expiresAt <= now) return { left: 'expired' };
  return offer({ ...draft, expiresAt });
}

/** Reports the progress of a source that is read in parts. */
function countParts(source: ImportSource, report: (share: number) => void): ImportSource {
  async function* parts(): AsyncGenerator<string> {
    let length = 0;
    for await (const part of source.parts()) {
      length += part.length;
      if (source.size) report(Math.min(1, length / source.size));
      yield part;
    }
  }
  return { ...source, parts };
}

async function keepPieces(
  scope: Scope,
  pieces: AsyncIterable<Piece> | readonly Piece[],
  format: ImportFormat,
  options: ImportOptions,
  reportsProgress = false,
): Promise<void> {
  const { tally, dryRun } = options;
  const things = new Map<string, string>();
  const relations: { from: string; kind: string; to: string }[] = [];
  let done = 0;
  for await (const piece of pieces) {
    if ('left' in piece) tally.leave(piece.left);
    else if ('relation' in piece) relations.push(piece.relation);
    else if ('thing' in piece) things.set(piece.thing.name, await ensureThing(scope, piece.thing, dryRun));
    else await keepOne(scope, piece.memory, piece.about, format, options);
    if (reportsProgress) options.report(++done / (pieces as readonly Piece[]).length);
  }
  for (const { from, kind, to } of relations) {
    const [start, end] = [things.get(from), things.get(to)];
    if (start === undefined || end === undefined) tally.leave('relation without its entities');
    else {
      tally.relate();
      if (!dryRun) await scope.opened.graph.link({ from: start, kind: nameRelation(kind), to: end });
    }
  }
}

async function keepOne(
  scope: Scope,
  draft: MemoryDraft,
  about: Thing | undefined,
  format: ImportFormat,
  options: ImportOptions,
) {
  const { opened, project } = scope;
  const { tally, dryRun } = options;
  const id = nameNode('n', 'import', project.id, format, draft.context ?? '', draft.text);
  if (await opened.graph.get(id)) return tally.know();
  if (dryRun) {
    const { text } = redact(draft.text);
    const same = await findSame(scope, { text, context: redact(draft.context ?? '').text });
    return tally.keep(same ? 'merged' : 'stored', text, draft.context);
  }
  try {
    const kept = await storeMemory(scope, { ...draft, id, ...(about && { mentions: [nameThing(scope, about)] }) });
    tally.keep(kept.action, kept.node.text, draft.context);
  } catch (error) {
    // Another process imports the same.
    if (!(error instanceof LoreError) || error.word !== 'conflict') throw error;
    tally.know();
  }
}

/** The same id as entities in texts have, so that both are one node. */
function nameThing({ project }: Scope, { name, type }: Thing): string {
  return nameNode('ent', project.id, type, name);
}

async function ensureThing(scope: Scope, thing: Thing, dryRun: boolean): Promise<string> {
  const { opened, project } = scope;
  const id = nameThing(scope, thing);
  const { name: title, type } = thing;
  if (!dryRun) {
    await opened.graph.ensure({ id, project: project.id, kind: 'entity', title, text: type, data: { entity: type } });
  }
  return id;
}

function nameRelation(kind: string): string {
  return redact(kind).text.trim().slice(0, 64) || 'relates to';
}
