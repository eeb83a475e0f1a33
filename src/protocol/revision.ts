// The five revisions and their differences. Revisions are dates, so "from this one on" is a comparison of strings.

export const legacyRevisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
export const modernRevisions = ['2026-07-28'] as const;

export type LegacyRevision = (typeof legacyRevisions)[number];
type ModernRevision = (typeof modernRevisions)[number];
export type Revision = LegacyRevision | ModernRevision;

export const firstRevision: LegacyRevision = '2024-11-05';
export const newestLegacy: LegacyRevision = '2025-11-25';
/** Assumed for a client that has not said which one it speaks. */
export const assumedRevision: LegacyRevision = '2025-03-26';

export function isLegacyRevision(value: unknown): value is LegacyRevision {
  return legacyRevisions.includes(value as LegacyRevision);
}

export function isModernRevision(value: unknown): value is ModernRevision {
  return modernRevisions.includes(value as ModernRevision);
}

/** The first revision with each feature. */
const since = {
  annotations: '2025-03-26',
  audio: '2025-03-26',
  completionsCapability: '2025-03-26',
  progressMessage: '2025-03-26',
  title: '2025-06-18',
  structuredOutput: '2025-06-18',
  resourceLink: '2025-06-18',
  listedMeta: '2025-06-18',
  pollingStreams: '2025-11-25',
  icons: '2025-11-25',
  anyStructuredValue: '2026-07-28',
} as const satisfies Record<string, Revision>;

export function has(revision: Revision, feature: keyof typeof since): boolean {
  return revision >= since[feature];
}

/** Batches were required by one revision and forbidden by the next. */
export function allowsBatches(revision: Revision): boolean {
  return revision <= '2025-03-26';
}

/** Keys of `_meta` that the stateless revisions define. */
export const metaKey = {
  version: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  subscription: 'io.modelcontextprotocol/subscriptionId',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;

/** MCP Apps: hosts that show pages. */
export const pagesExtension = 'io.modelcontextprotocol/ui';

/** Our own key of a result's `_meta`: the data, for a page. Hosts pass it to the page, not to their model. */
export const dataKey = 'io.github.lorekeeper/data';
/** Beside it: the name of the tool. */
export const toolKey = 'io.github.lorekeeper/tool';

/** Our own key of a request's `_meta`: true requests structured results and output schemas. */
export const structuredKey = 'io.github.lorekeeper/structured';

export const tasksExtension = 'io.modelcontextprotocol/tasks';
export const skillsExtension = 'io.modelcontextprotocol/skills';
