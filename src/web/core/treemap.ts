// Areas in proportion to numbers: each row takes the rectangles that stay closest to squares.

export interface Tile {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** In the order of the values, which should be sorted, the largest first. */
export function treemap(values: readonly number[], width: number, height: number): Tile[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  if (total <= 0) return [];
  const areas = values.map((value) => (value / total) * width * height);
  const tiles: Tile[] = [];
  let [x, y, w, h] = [0, 0, width, height];
  for (let at = 0; at < areas.length; ) {
    const side = Math.min(w, h);
    let end = at + 1;
    while (end < areas.length && worst(areas.slice(at, end + 1), side) <= worst(areas.slice(at, end), side)) end++;
    const row = areas.slice(at, end);
    const sum = row.reduce((all, area) => all + area, 0);
    const thickness = sum / side || 0;
    let offset = 0;
    for (const area of row) {
      const length = area / thickness || 0;
      tiles.push(
        w >= h
          ? { x, y: y + offset, width: thickness, height: length }
          : { x: x + offset, y, width: length, height: thickness },
      );
      offset += length;
    }
    if (w >= h) [x, w] = [x + thickness, w - thickness];
    else [y, h] = [y + thickness, h - thickness];
    at = end;
  }
  return tiles;
}

/** The largest ratio of sides in a row. */
function worst(row: readonly number[], side: number): number {
  const sum = row.reduce((all, area) => all + area, 0);
  return Math.max(
    ...row.map((area) => Math.max((side * side * area) / (sum * sum), (sum * sum) / (side * side * area))),
  );
}
