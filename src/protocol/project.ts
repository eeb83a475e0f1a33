// Projects content to each revision. Old clients reject unknown content, so newer content is replaced by the nearest equivalent,
// and fields that a revision lacks are omitted.
import { type Content, type PromptMessage, type ResourceLink, text } from '../core/content.ts';
import { pageUri } from '../core/page.ts';
import { isObject, type JsonSchema } from '../core/schema.ts';
import type { Prompt, Resource, ResourceTemplate } from '../core/service.ts';
import type { Tool, ToolResult } from '../core/tool.ts';
import { dataKey, firstRevision, has, type Revision, toolKey } from './revision.ts';

type Json = { [key: string]: unknown };

/** Claude Code reads these. Without the first, a model must search for a tool before it can call it; the second helps the search. */
const preloadedKey = 'anthropic/alwaysLoad';
const hintKey = 'anthropic/searchHint';

/** `pages`: the client shows pages. */
export function projectTool(tool: Tool, revision: Revision, structured: boolean, pages = false): Json {
  const { name, title, description, effect } = tool;
  const hints = {
    readOnlyHint: effect === 'read',
    ...(effect === 'read' ? {} : { destructiveHint: effect === 'destroy', idempotentHint: tool.idempotent ?? false }),
    openWorldHint: tool.openWorld ?? false,
  };
  const titled = has(revision, 'title');
  return {
    name,
    ...(titled ? { title } : {}),
    description,
    inputSchema: tool.input.json,
    ...(structured && tool.output && has(revision, 'structuredOutput')
      ? { outputSchema: outputSchema(tool.output.json, revision) }
      : {}),
    ...(has(revision, 'annotations') ? { annotations: titled ? hints : { title, ...hints } } : {}),
    ...(tool.icons && has(revision, 'icons') && { icons: tool.icons }),
    ...(has(revision, 'listedMeta') && metaOf(tool, pages)),
  };
}

/** Whether a page inside a chat shows the results of this tool. */
export function servesPage({ page, scope }: Tool): boolean {
  return page !== undefined || scope === 'page';
}

function metaOf({ preloaded, searchHint, page, scope }: Tool, pages: boolean): Json {
  const ui = page === 'opens' ? { resourceUri: pageUri } : scope === 'page' ? { visibility: ['app'] } : undefined;
  const meta = {
    ...(preloaded && { [preloadedKey]: true }),
    ...(searchHint !== undefined && { [hintKey]: searchHint }),
    ...(ui && pages && { ui }),
  };
  return Object.keys(meta).length === 0 ? {} : { _meta: meta };
}

/**
 * Some clients check `structuredContent` of failures too, so the schema they are given also fits our error object. Its
 * top level is open for the same reason.
 */
function outputSchema(json: JsonSchema, revision: Revision): JsonSchema {
  if (json.type !== 'object') {
    if (has(revision, 'anyStructuredValue')) return { anyOf: [json, { type: 'object', required: ['error'] }] };
    return { type: 'object', properties: { result: json } };
  }
  const { required, additionalProperties: _, ...rest } = json;
  return Array.isArray(required) ? { ...rest, anyOf: [{ required }, { required: ['error'] }] } : rest;
}

/**
 * `structuredContent` is sent only on request: Claude Code and Codex show it to their model instead of the text, whether
 * or not the tool has an output schema. The first revision has no such member; its servers send `success` and `data`. `page`: the
 * tool, if a page shows its result; not every host says which one it was.
 */
export function projectResult(result: ToolResult, revision: Revision, structured: boolean, page?: string): Json {
  const hasAllKinds = has(revision, 'audio') && has(revision, 'resourceLink');
  const content = hasAllKinds ? result.content : result.content.map((block) => projectContent(block, revision));
  const data = result.structured;
  const plain = {
    content,
    isError: false,
    ...(data !== undefined && revision === firstRevision && { success: true, data }),
    ...(page !== undefined && data !== undefined && { _meta: { [toolKey]: page, [dataKey]: data } }),
  };
  if (!structured || data === undefined) return plain;
  const whole = isObject(data) || has(revision, 'anyStructuredValue');
  return { ...plain, structuredContent: whole ? data : { result: data } };
}

function projectContent(block: Content, revision: Revision): Content {
  if (block.type === 'audio' && !has(revision, 'audio')) return text(`[audio, ${block.mimeType}]`);
  if (block.type === 'resource_link' && !has(revision, 'resourceLink')) return text(describeLink(block));
  return block;
}

function describeLink({ title, name, uri, description }: ResourceLink): string {
  return `${title ?? name}: ${uri}${description === undefined ? '' : ` (${description})`}`;
}

export function projectMessage({ role, content }: PromptMessage, revision: Revision): Json {
  return { role, content: projectContent(content, revision) };
}

export function projectResource(resource: Omit<Resource, 'read'>, revision: Revision): Json {
  const { uri, name, title, description, mimeType, size, annotations, icons } = resource;
  return defined({
    uri,
    name,
    title: has(revision, 'title') ? title : undefined,
    description,
    mimeType,
    size,
    annotations,
    icons: has(revision, 'icons') ? icons : undefined,
  });
}

export function projectTemplate(template: Omit<ResourceTemplate, 'read'>, revision: Revision): Json {
  const { uriTemplate, name, title, description, mimeType, annotations, icons } = template;
  return defined({
    uriTemplate,
    name,
    title: has(revision, 'title') ? title : undefined,
    description,
    mimeType,
    annotations,
    icons: has(revision, 'icons') ? icons : undefined,
  });
}

export function projectPrompt(prompt: Omit<Prompt, 'get'>, revision: Revision): Json {
  const titled = has(revision, 'title');
  const { name, title, description, icons } = prompt;
  const args = prompt.arguments?.map(({ name: argument, title: label, description: about, required }) =>
    defined({ name: argument, title: titled ? label : undefined, description: about, required }),
  );
  return defined({
    name,
    title: titled ? title : undefined,
    description,
    arguments: args,
    icons: has(revision, 'icons') ? icons : undefined,
  });
}

function defined(json: Json): Json {
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined));
}
