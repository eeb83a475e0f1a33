// The sql`` tag: keeps query text and values apart until a driver formats them. A value never becomes text; only another
// fragment of this tag does.

export class Sql {
  readonly parts: readonly string[];
  readonly values: readonly unknown[];

  constructor(parts: readonly string[], values: readonly unknown[]) {
    this.parts = parts;
    this.values = values;
  }

  /** The text with the driver's placeholder for each value. */
  text(placeholder: (index: number) => string): string {
    return this.parts.reduce((text, part, index) => text + placeholder(index) + part);
  }
}

/** Values that a column can have on both databases. Booleans are 0 and 1, times are milliseconds, JSON is text. */
export type Value = string | number | null | Uint8Array;

export function sql(strings: TemplateStringsArray, ...given: readonly (Value | Sql)[]): Sql {
  const parts: string[] = [strings[0] as string];
  const values: unknown[] = [];
  given.forEach((value, index) => {
    const next = strings[index + 1] as string;
    if (!(value instanceof Sql)) {
      values.push(value);
      parts.push(next);
      return;
    }
    const [first, ...rest] = value.parts;
    parts[parts.length - 1] += first as string;
    values.push(...value.values);
    parts.push(...rest);
    parts[parts.length - 1] += next;
  });
  return new Sql(parts, values);
}

export const nothing: Sql = new Sql([''], []);

export function join(pieces: readonly Sql[], separator: string): Sql {
  const parts = [''];
  const values: unknown[] = [];
  for (const [index, piece] of pieces.entries()) {
    const [first = '', ...rest] = piece.parts;
    parts[parts.length - 1] += index === 0 ? first : separator + first;
    parts.push(...rest);
    values.push(...piece.values);
  }
  return new Sql(parts, values);
}

/** `(?, ?, ?)`, for `in`. The last value is repeated up to a power of two, so that few statements are prepared. */
export function list(values: readonly Value[]): Sql {
  const count = values.length === 0 ? 1 : 2 ** Math.ceil(Math.log2(values.length));
  const padded = [...values];
  while (padded.length < count) padded.push(values.at(-1) ?? null);
  return new Sql(['(', ...Array(count - 1).fill(', '), ')'], padded);
}
