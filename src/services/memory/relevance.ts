// Whether a memory has to do with a text at all. A search always finds something; a prompt must only be given what helps.
// The bounds were chosen on the tuning half of bench/quality/relevance.

export interface Evidence {
  /** How much of what the text's words tell stands in the memory, from 0 to 1. */
  coverage: number;
  /** The likeness of meaning, from 0 to 1. */
  cosine: number;
}

const bounds = { cosine: 0.45, coverage: 0.3 };

/** Words and meaning vouch for each other: more of one makes up for less of the other. */
export function isRelevant({ coverage, cosine }: Evidence): boolean {
  return cosine / bounds.cosine + coverage / bounds.coverage >= 2;
}
