// How far a node may travel. The default never leaves the database; the others are set by a person, one memory at a time.

export const levels = ['private', 'mine', 'team'] as const;

/** `mine`: the machines of this user. `team`: the members of the project. */
export type NodeLevel = (typeof levels)[number];

export type SharedLevel = Exclude<NodeLevel, 'private'>;

export const sharedLevels = ['mine', 'team'] as const satisfies readonly SharedLevel[];
