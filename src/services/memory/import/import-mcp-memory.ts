// Reads the file of the reference MCP memory server: a line for each entity with its observations, and for each relation
// between two of them; or the whole as one object, as its read_graph gives it.
import { isObject } from '../../../core/schema.ts';
import { offer, type Piece } from './import-piece.ts';

export async function* readMcpMemory(lines: AsyncIterable<string>, statedAt?: number): AsyncGenerator<Piece> {
  const broken: string[] = [];
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const row = parse(line);
    if (isRow(row)) yield* readRow(row, statedAt);
    else broken.push(line);
  }
  // Lines that only make sense together.
  const whole = broken.length > 0 ? parse(broken.join('\n')) : undefined;
  if (isRow(whole)) yield* readRow(whole, statedAt);
  else for (const _ of broken) yield { left: 'unreadable' };
}

interface Row {
  type?: unknown;
  entities?: unknown;
  relations?: unknown;
}

function isRow(row: unknown): row is Row {
  if (!isObject(row)) return false;
  return (
    row.type === 'entity' || row.type === 'relation' || Array.isArray(row.entities) || Array.isArray(row.relations)
  );
}

function* readRow(row: Row, statedAt: number | undefined): Generator<Piece> {
  if (row.type === 'entity') yield* readEntity(row, statedAt);
  else if (row.type === 'relation') yield readRelation(row);
  else {
    for (const entity of Array.isArray(row.entities) ? row.entities : []) yield* readEntity(entity, statedAt);
    for (const relation of Array.isArray(row.relations) ? row.relations : []) yield readRelation(relation);
  }
}

function* readEntity(entity: unknown, statedAt: number | undefined): Generator<Piece> {
  const { name, entityType, observations } = isObject(entity) ? entity : {};
  if (typeof name !== 'string' || name.trim() === '') return yield { left: 'unreadable' };
  const about = { name, type: typeof entityType === 'string' && entityType !== '' ? entityType : 'thing' };
  yield { thing: about };
  for (const observation of Array.isArray(observations) ? observations : []) {
    if (typeof observation !== 'string') yield { left: 'unreadable' };
    else yield offer({ text: joinName(name, observation), source: 'mcp-memory', statedAt }, about);
  }
}

/** An observation is about its entity, whether it names it or not; alone it has to. */
function joinName(name: string, observation: string): string {
  const text = observation.trim();
  const isNamed = text.toLowerCase().includes(name.replaceAll('_', ' ').toLowerCase()) || text.includes(name);
  return text === '' || isNamed ? text : `${name}: ${text}`;
}

function readRelation(row: unknown): Piece {
  const { from, to, relationType } = isObject(row) ? row : {};
  if (typeof from !== 'string' || typeof to !== 'string') return { left: 'unreadable' };
  return { relation: { from, kind: typeof relationType === 'string' ? relationType : 'relates to', to } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
