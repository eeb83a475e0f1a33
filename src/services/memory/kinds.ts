// The kinds of memory and of knowledge, which are labels, and how a statement relates to an older one.

export const memoryKinds = ['semantic', 'procedural', 'preference', 'episodic', 'working', 'sensory'] as const;
export const knowledgeTypes = ['rule', 'pattern', 'gotcha', 'architecture', 'convention', 'note'] as const;
/** Entries that people and agents write; all other nodes are derived from files or belong to one of these. */
export const purgeableKinds = ['memory', 'checkpoint', 'remediation', 'commit'];
/** How a new statement relates to an older one. */
export const relations = ['repeats', 'may_disagree'] as const;
export type Relation = (typeof relations)[number];
export type MemoryKind = (typeof memoryKinds)[number];
export type KnowledgeType = (typeof knowledgeTypes)[number];
