// The address of a view: /ui/<view>/<id>?<filters>. Everything a person can see has one, so that it can be sent to somebody.
import { computed, signal } from '@preact/signals';

export interface PageAddress {
  readonly view: string;
  /** The rest of the path: an id, or the path of a file. */
  readonly id: string;
  readonly params: Readonly<Record<string, string>>;
}

const base = '/ui/';

function read(url: URL): PageAddress {
  const [view = '', ...rest] = url.pathname.slice(base.length).split('/').map(decodeURIComponent);
  return { view, id: rest.join('/'), params: Object.fromEntries(url.searchParams) };
}

/** False inside of an MCP host, where a page has no address. */
let hasAddress = true;

export const route = signal<PageAddress>({ view: '', id: '', params: {} });

/** Remembered for all views. */
export const project = computed(() => route.value.params.project);

export function startRouting(initial?: PageAddress): void {
  if (initial) {
    hasAddress = false;
    route.value = initial;
    return;
  }
  route.value = read(new URL(location.href));
  addEventListener('popstate', () => {
    route.value = read(new URL(location.href));
  });
}

/** The chosen project stays the same unless `params` names one. */
export function link(view: string, id = '', params: Record<string, string | undefined> = {}): string {
  const all = Object.entries({ project: project.value, ...params }).filter(([, value]) => value) as [string, string][];
  const path = [view, ...(id === '' ? [] : id.split('/'))].map(encodeURIComponent).join('/');
  const query = new URLSearchParams(all).toString();
  return `${base}${path}${query === '' ? '' : `?${query}`}`;
}

export function go(href: string, { replace = false } = {}): void {
  const url = new URL(href, hasAddress ? location.href : 'http://host');
  if (hasAddress) history[replace ? 'replaceState' : 'pushState'](null, '', url);
  route.value = read(url);
}

/** Changes filters of the current view. */
export function filter(params: Record<string, string | undefined>, { replace = true } = {}): void {
  const { view, id, params: before } = route.value;
  go(link(view, id, { ...before, ...params }), { replace });
}

/** Follows a link without loading the page again. */
export function followLinks(event: MouseEvent): void {
  const anchor = (event.target as Element | null)?.closest?.('a');
  if (!anchor || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || anchor.target !== '') return;
  const href = anchor.getAttribute('href') ?? '';
  if (!href.startsWith(base)) return;
  event.preventDefault();
  go(href);
}
