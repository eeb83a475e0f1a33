// Seeded chance: the same case always gets the same text, on every machine.

/** @param {string} seed */
export function createChance(seed) {
  let state = 2166136261;
  for (let i = 0; i < seed.length; i++) state = Math.imul(state ^ seed.charCodeAt(i), 16777619);
  /** Below 1; the mulberry32 generator. */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** @param {number} limit */
  const below = (limit) => Math.floor(next() * limit);
  /** @template T @param {readonly T[]} list */
  const one = (list) => /** @type {T} */ (list[below(list.length)]);
  /** @param {string} alphabet @param {number} length */
  const text = (alphabet, length) => {
    let made = '';
    for (let i = 0; i < length; i++) made += alphabet[below(alphabet.length)];
    return made;
  };
  const hex = '0123456789abcdef';
  const uuid = () =>
    `${text(hex, 8)}-${text(hex, 4)}-4${text(hex, 3)}-${text('89ab', 1)}${text(hex, 3)}-${text(hex, 12)}`;
  return { below, one, text, uuid };
}
