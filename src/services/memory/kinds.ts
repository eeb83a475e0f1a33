// The kinds of memory, by how long they count, and the sorts of knowledge.

export const memoryKinds = ['semantic', 'procedural', 'preference', 'episodic', 'working', 'sensory'] as const;
export const knowledgeTypes = ['rule', 'pattern', 'gotcha', 'architecture', 'convention', 'note'] as const;
export type MemoryKind = (typeof memoryKinds)[number];
export type KnowledgeType = (typeof knowledgeTypes)[number];
