// What a server says about its resources and prompts, as clients see it: its own words, unless the server is not approved or they look like
// an attack.
import type { Annotations, Icon } from '../../core/content.ts';
import { isObject } from '../../core/schema.ts';
import { showHidden } from '../../core/text/fence.ts';
import { identityOf } from './mount/mount.ts';
import type { MountState } from './mount/store.ts';
import { findPoison } from './trust/poison.ts';

type Json = { readonly [key: string]: unknown };

const longestText = 1_000;
const mostIcons = 8;
const longestIcon = 32_000;

/** `alone`: it is the only server that the client sees. */
export function describe(state: MountState, alone: string | undefined, entry: Json, otherwise: string) {
  const { name, title, description = 'from a mounted server' } = wordsOf(state, entry);
  const { mimeType } = entry;
  const isShown = name !== undefined;
  return {
    name: name ?? otherwise.slice(0, longestText),
    ...(title !== undefined && { title }),
    description: alone === undefined ? `${state.mount.name}: ${description}` : description,
    ...(typeof mimeType === 'string' && { mimeType }),
    ...(isShown && { ...annotationsOf(entry), ...iconsOf(entry) }),
  };
}

export function describeArgument(state: MountState, entry: Json, name: string) {
  const { title, description } = wordsOf(state, entry);
  return { name, ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
}

/** Nothing if they may not be shown. */
function wordsOf({ mount, listing, approvals }: MountState, entry: Json) {
  const text = (value: unknown) => (typeof value === 'string' ? showHidden(value).slice(0, longestText) : undefined);
  const [name, title, description] = [text(entry.name), text(entry.title), text(entry.description)];
  const isApproved = listing !== undefined && approvals?.identity === identityOf(mount, listing);
  const suspicious = { name: name ?? '', description: `${title ?? ''} ${description ?? ''}` };
  return isApproved && findPoison(suspicious, mount.name, []).length === 0 ? { name, title, description } : {};
}

const audiences = ['user', 'assistant'] as const;

function annotationsOf({ annotations }: Json): { annotations?: Annotations } {
  if (!isObject(annotations)) return {};
  const { audience, priority, lastModified } = annotations;
  const known = {
    ...(Array.isArray(audience) && { audience: audiences.filter((one) => audience.includes(one)) }),
    ...(typeof priority === 'number' && { priority }),
    ...(typeof lastModified === 'string' && { lastModified: showHidden(lastModified).slice(0, 64) }),
  };
  return Object.keys(known).length === 0 ? {} : { annotations: known };
}

/** Only pictures that a client can load without a surprise: over TLS, or in the address itself. */
export function iconsOf({ icons }: Json): { icons?: readonly Icon[] } {
  const usable = (Array.isArray(icons) ? icons : []).filter(isIcon).slice(0, mostIcons);
  return usable.length === 0
    ? {}
    : {
        icons: usable.map(({ src, mimeType, sizes, theme }) => ({
          src,
          ...(typeof mimeType === 'string' && { mimeType }),
          ...(Array.isArray(sizes) && { sizes: sizes.filter((size) => typeof size === 'string') }),
          ...((theme === 'light' || theme === 'dark') && { theme }),
        })),
      };
}

function isIcon(value: unknown): value is Icon {
  if (!isObject(value) || typeof value.src !== 'string' || value.src.length > longestIcon) return false;
  return /^(?:https:\/\/|data:image\/)/i.test(value.src);
}
