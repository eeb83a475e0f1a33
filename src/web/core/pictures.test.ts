// The arithmetic of the pictures.
import { expect, it } from 'vitest';
import { layOut } from './force-layout.ts';
import { treemap } from './treemap.ts';

it('treemap: tiles fill the area, in proportion, without overlapping', () => {
  const values = [40, 20, 20, 10, 5, 3, 2];
  const tiles = treemap(values, 100, 30);
  for (const [at, { width, height }] of tiles.entries()) expect(width * height).toBeCloseTo((values[at] ?? 0) * 30, 5);
  for (const [at, a] of tiles.entries()) {
    for (const b of tiles.slice(at + 1)) {
      const x = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
      const y = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
      expect(Math.min(x, y)).toBeLessThan(1e-9);
    }
  }
  expect(treemap([], 100, 30)).toEqual([]);
});

it('layout: is the same every time, keeps the centre, and puts linked nodes near each other', () => {
  const ids = Array.from({ length: 40 }, (_, at) => `n${at}`);
  const links = ids.slice(1, 20).map((id) => ({ from: 'n0', to: id }));
  const points = layOut(ids, links, 'n0');
  expect(points).toEqual(layOut(ids, links, 'n0'));
  expect(points.get('n0')).toEqual({ x: 0, y: 0 });
  const mean = (some: readonly string[]) =>
    some.reduce((sum, id) => sum + Math.hypot(points.get(id)?.x ?? 0, points.get(id)?.y ?? 0), 0) / some.length;
  expect(mean(ids.slice(1, 20))).toBeLessThan(mean(ids.slice(20)));
});
