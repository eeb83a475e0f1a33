// The capabilities of a client, reduced to those that the server uses: a client may send megabytes, and thousands of
// sessions store them.
import type { QuestionKind } from '../core/call.ts';
import { pageType } from '../core/page.ts';
import { isObject } from '../core/schema.ts';
import { pagesExtension, tasksExtension } from './revision.ts';

export type ClientCapability = QuestionKind | 'tasks' | 'pages';

export type ClientCapabilities = readonly ClientCapability[];

export const noCapabilities: ClientCapabilities = [];

const readers: Record<ClientCapability, (offered: { [capability: string]: unknown }) => boolean> = {
  // An empty elicitation capability means forms.
  elicitation: ({ elicitation }) =>
    isObject(elicitation) && (isObject(elicitation.form) || Object.keys(elicitation).length === 0),
  url: ({ elicitation }) => isObject(elicitation) && isObject(elicitation.url),
  sampling: ({ sampling }) => isObject(sampling),
  roots: ({ roots }) => isObject(roots),
  tasks: ({ extensions }) => isObject(extensions) && isObject(extensions[tasksExtension]),
  pages({ extensions }) {
    const offered = isObject(extensions) ? extensions[pagesExtension] : undefined;
    return isObject(offered) && Array.isArray(offered.mimeTypes) && offered.mimeTypes.includes(pageType);
  },
};

const known = Object.keys(readers) as ClientCapability[];

export function readCapabilities(offered: unknown): ClientCapabilities {
  if (!isObject(offered)) return noCapabilities;
  const found = known.filter((capability) => readers[capability](offered));
  return found.length === 0 ? noCapabilities : found;
}
