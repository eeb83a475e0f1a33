// What counts as found: any or all of the gold within the first k, its share there, and how early it stands.

/** Sessions as one meets them who reads what was found from the top. */
export function orderSessions(found: readonly { session: string }[]): string[] {
  return [...new Set(found.map(({ session }) => session))];
}

export function findAny<T>(order: readonly T[], gold: readonly T[], k: number): number {
  const first = new Set(order.slice(0, k));
  return gold.some((item) => first.has(item)) ? 1 : 0;
}

export function findAll<T>(order: readonly T[], gold: readonly T[], k: number): number {
  return measureRecall(order, gold, k) === 1 ? 1 : 0;
}

export function measureRecall<T>(order: readonly T[], gold: readonly T[], k: number): number {
  const first = new Set(order.slice(0, k));
  return gold.filter((item) => first.has(item)).length / gold.length;
}

export function measureNdcg<T>(order: readonly T[], gold: readonly T[], k: number): number {
  const wanted = new Set(gold);
  const gain = order.slice(0, k).reduce((sum, item, at) => sum + (wanted.has(item) ? 1 / Math.log2(at + 2) : 0), 0);
  const ideal = gold.slice(0, k).reduce((sum, _, at) => sum + 1 / Math.log2(at + 2), 0);
  return gain / ideal;
}
