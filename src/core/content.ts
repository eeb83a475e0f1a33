// Content of tools, prompts and resources, in the format of the newest revision. Older revisions get a projection
// (protocol/project.ts).

export interface Annotations {
  audience?: ('user' | 'assistant')[];
  priority?: number;
  lastModified?: string;
}

/** A picture for people, beside the name of a tool, resource or prompt. */
export interface Icon {
  src: string;
  mimeType?: string;
  sizes?: readonly string[];
  theme?: 'light' | 'dark';
}

interface TextContent {
  type: 'text';
  text: string;
  annotations?: Annotations;
}

export interface ImageContent {
  type: 'image';
  /** Base64. */
  data: string;
  mimeType: string;
  annotations?: Annotations;
}

interface AudioContent {
  type: 'audio';
  /** Base64. */
  data: string;
  mimeType: string;
  annotations?: Annotations;
}

export interface ResourceContents {
  uri: string;
  mimeType?: string;
  text?: string;
  /** Base64. */
  blob?: string;
  _meta?: { readonly [key: string]: unknown };
}

interface EmbeddedResource {
  type: 'resource';
  resource: ResourceContents;
  annotations?: Annotations;
}

export interface ResourceLink {
  type: 'resource_link';
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  annotations?: Annotations;
}

export type Content = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink;

export interface PromptMessage {
  role: 'user' | 'assistant';
  content: Content;
}

export function text(value: string): TextContent {
  return { type: 'text', text: value };
}
