// Follows the pages of a list: by a link (RFC 8288, or a field of the response), or by a token that a parameter takes.
import { isObject } from '../../../core/schema.ts';
import { asObject, type JsonObject } from '../openapi/document.ts';
import type { ApiOperation } from '../openapi/operation.ts';
import type { ApiAnswer } from './answer.ts';

/** The next page: its path and query on the same server, or the argument that asks for it. */
export type NextPage = { target: string } | { args: JsonObject };

const mostPages = 50;
const linkFields = ['next', 'next_url', 'nextLink', '@odata.nextLink', 'next_page_url', 'next_page', 'href'];
const tokenFields = [
  'nextPageToken',
  'next_page_token',
  'next_cursor',
  'nextCursor',
  'NextToken',
  'nextToken',
  'next_token',
  'cursor',
  'endCursor',
];
/** Objects of a response that may contain these fields. */
const holders = [
  'links',
  '_links',
  'paging',
  'pagination',
  'meta',
  'metadata',
  'response_metadata',
  'page_info',
  'pageInfo',
];
const tokenParameters =
  /^(?:page_?token|next_?token|next_?page_?token|cursor|page_?cursor|after|starting_after|start_cursor|continuation_?token)$/i;

/** `url`: the address of the page that answered. */
export function findNextPage(
  { next, data }: ApiAnswer,
  { parameters }: Pick<ApiOperation, 'parameters'>,
  url: string,
): NextPage | undefined {
  const objects = [asObject(data), ...holders.map((name) => asObject(asObject(data)[name]))];
  const field = (names: readonly string[]) =>
    objects
      .flatMap((object) =>
        names.map((name) => (isObject(object[name]) ? (object[name] as JsonObject).href : object[name])),
      )
      .find((value) => typeof value === 'string' && value !== '');
  const link = next ?? (field(linkFields) as string | undefined);
  if (link !== undefined && /^(?:https?:\/\/|\/|\?)/.test(link) && URL.canParse(link, url)) {
    const { origin, pathname, search } = new URL(link, url);
    // Credentials stay with their server.
    return origin === new URL(url).origin && `${origin}${pathname}${search}` !== url
      ? { target: pathname + search }
      : undefined;
  }
  const parameter = parameters.find((one) => one.in === 'query' && tokenParameters.test(one.name));
  const token = field(tokenFields) ?? link;
  return parameter && token !== undefined ? { args: { [parameter.argument]: token } } : undefined;
}

/** The list of a response: the response itself, or its longest field that is a list. */
export function findItems(data: unknown): readonly unknown[] | undefined {
  if (Array.isArray(data)) return data;
  const lists = Object.values(asObject(data)).filter((value) => Array.isArray(value));
  return lists.sort((a, b) => b.length - a.length)[0];
}

/** The first page with the items of further ones. `load` returns undefined after the last page. */
export async function collectPages(
  first: ApiAnswer,
  most: number,
  load: (page: ApiAnswer) => Promise<ApiAnswer | undefined>,
): Promise<ApiAnswer> {
  let items = findItems(first.data) ?? [];
  let page: ApiAnswer | undefined = first;
  let pages = 1;
  for (; page && items.length > 0 && items.length < most && pages < mostPages; pages++) {
    page = await load(page);
    const more: readonly unknown[] = (page && findItems(page.data)) ?? [];
    if (more.length === 0) page = undefined;
    items = items.concat(more);
  }
  if (pages === 1 && items.length <= most) return first;
  const { next: _, ...answer } = first;
  return { ...answer, data: items.slice(0, most), ...(page?.next !== undefined && { next: page.next }) };
}
