// Figures as a Markdown table, percentages with one decimal.

export interface Row {
  name: string;
  /** How many questions. */
  questions: number;
  figures: Readonly<Record<string, number>>;
}

export interface Measured {
  rows: Row[];
  /** What became of what was put in, by way of putting. */
  outcomes: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export function printTable(rows: readonly Row[]): void {
  const columns = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))];
  console.log(`| | n | ${columns.join(' | ')} |`);
  console.log(`|---|---|${columns.map(() => '---|').join('')}`);
  for (const { name, questions, figures } of rows) {
    const cells = columns.map((column) => (figures[column] === undefined ? '' : (figures[column] * 100).toFixed(1)));
    console.log(`| ${name} | ${questions} | ${cells.join(' | ')} |`);
  }
}

/** The mean of each figure over the questions that a row speaks of. */
export function averageRow(name: string, measured: readonly Readonly<Record<string, number>>[]): Row {
  const figures: Record<string, number> = {};
  for (const one of measured) {
    for (const [key, value] of Object.entries(one)) figures[key] = (figures[key] ?? 0) + value / measured.length;
  }
  return { name, questions: measured.length, figures };
}
