// A force-directed layout for small graphs: nodes repel each other, edges pull, and the centre holds. It is computed at once, from
// positions that depend on the ids alone, so that the same graph always looks the same and nothing moves on its own.

export interface Point {
  x: number;
  y: number;
}

interface Link {
  from: string;
  to: string;
}

const rounds = 220;
const distance = 70;

/** Positions around (0, 0). Known positions are kept as the start, so that an expanded graph stays where it was. */
export function layOut(
  ids: readonly string[],
  links: readonly Link[],
  centre: string,
  known: ReadonlyMap<string, Point> = new Map(),
): Map<string, Point> {
  const index = new Map(ids.map((id, at) => [id, at]));
  const x = new Float64Array(ids.length);
  const y = new Float64Array(ids.length);
  ids.forEach((id, at) => {
    const start = known.get(id) ?? spiral(at);
    x[at] = start.x;
    y[at] = start.y;
  });
  const pairs = links.flatMap(({ from, to }) => {
    const [a, b] = [index.get(from), index.get(to)];
    return a === undefined || b === undefined || a === b ? [] : [[a, b] as const];
  });
  const fixed = index.get(centre) ?? -1;
  for (let round = 0; round < rounds; round++) {
    const heat = (1 - round / rounds) * 12;
    step(x, y, pairs, fixed, heat);
  }
  return new Map(ids.map((id, at) => [id, { x: x[at] as number, y: y[at] as number }]));
}

/** Deterministic and without overlaps. */
function spiral(at: number): Point {
  const angle = at * 2.399963;
  const radius = distance * 0.6 * Math.sqrt(at);
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
}

function step(
  x: Float64Array,
  y: Float64Array,
  pairs: readonly (readonly [number, number])[],
  fixed: number,
  heat: number,
): void {
  const count = x.length;
  const fx = new Float64Array(count);
  const fy = new Float64Array(count);
  const push = (a: number, b: number, force: (length: number) => number) => {
    const dx = (x[a] as number) - (x[b] as number);
    const dy = (y[a] as number) - (y[b] as number);
    const length = Math.max(1, Math.hypot(dx, dy));
    const size = force(length) / length;
    fx[a] = (fx[a] as number) + dx * size;
    fy[a] = (fy[a] as number) + dy * size;
    fx[b] = (fx[b] as number) - dx * size;
    fy[b] = (fy[b] as number) - dy * size;
  };
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++) push(a, b, (length) => (distance * distance) / length / 4);
  }
  for (const [a, b] of pairs) push(a, b, (length) => -(length * length) / distance / 6);
  for (let a = 0; a < count; a++) {
    // A weak pull to the middle keeps unlinked nodes in sight.
    const [forceX, forceY] = [(fx[a] as number) - (x[a] as number) * 0.05, (fy[a] as number) - (y[a] as number) * 0.05];
    const length = Math.max(1, Math.hypot(forceX, forceY));
    const move = Math.min(length, heat) / length;
    x[a] = a === fixed ? 0 : (x[a] as number) + forceX * move;
    y[a] = a === fixed ? 0 : (y[a] as number) + forceY * move;
  }
}
