// Resources and prompts of mounted servers, listed as our own: a resource has its address behind the name of its mount,
// `lore+files:file:///notes`. They come from the stored lists, so that listing them starts nothing.

import type { Call } from '../../core/call.ts';
import type { PromptMessage, ResourceContents } from '../../core/content.ts';
import { LoreError } from '../../core/error.ts';
import { levelOf, type Policy } from '../../core/registry/permission.ts';
import { isObject } from '../../core/schema.ts';
import type { Completer, Prompt, Resource, ResourceTemplate } from '../../core/service.ts';
import { explainFailure } from './call/answer.ts';
import type { ParkedCalls } from './call/parked.ts';
import { describe, describeArgument } from './describe.ts';
import type { Gateway } from './gateway.ts';
import { ResourceWatches } from './watches.ts';

type Json = { readonly [key: string]: unknown };

export interface MountOffer {
  resources(): Resource[];
  templates(): ResourceTemplate[];
  prompts(): Prompt[];
  /** Ends all subscriptions. */
  close(): void;
}

/** Templates with other expressions cannot be matched. */
const plainTemplate = /^(?:[^{}]|\{\+?\w+\})+$/;

export interface OfferOptions {
  gateway: Gateway;
  parked: ParkedCalls;
  policy(): Policy;
  /** The content of a resource has changed. */
  updated(uri: string): void;
  /** Only what this mount offers, under its own names. */
  alone?: string | undefined;
}

export function createMountOffer({ gateway, parked, policy, updated, alone }: OfferOptions): MountOffer {
  const watches = new ResourceWatches(gateway);
  const usable = () =>
    gateway.store.list().filter(({ mount: { name } }) => {
      if (alone !== undefined && name !== alone) return false;
      return levelOf(policy(), { name, effect: 'read', allowed: 'read' }, name) !== 'off';
    });
  const addressOf = (mount: string, uri: string) => (alone === undefined ? `lore+${mount}:${uri}` : uri);

  const ownUri = (mount: string, address: string) => address.slice(addressOf(mount, '').length);
  const watch = (mount: string, uri: string) => watches.add(mount, uri, () => updated(addressOf(mount, uri)));

  async function request(mount: string, method: string, params: Json, call: Call): Promise<Json> {
    const key = () => JSON.stringify([call.caller.id, mount, method, params]);
    try {
      return await parked.run(key, call, { isRepeatable: true }, (context) =>
        gateway.request(gateway.store.get(mount), method, params, context),
      );
    } catch (error) {
      throw explainFailure(mount, error);
    }
  }

  async function read(mount: string, uri: string, call: Call): Promise<ResourceContents[]> {
    const { contents } = await request(mount, 'resources/read', { uri }, call);
    return (Array.isArray(contents) ? contents : []).filter(isObject).map((one) => ({
      uri: addressOf(mount, typeof one.uri === 'string' ? one.uri : uri),
      ...(typeof one.mimeType === 'string' && { mimeType: one.mimeType }),
      ...(typeof one.text === 'string' && { text: one.text }),
      ...(typeof one.blob === 'string' && { blob: one.blob }),
    }));
  }

  const completer = (mount: string, ref: Json, name: string): Completer => {
    return async (value, context) => {
      const params = { ref, argument: { name, value }, context: { arguments: context } };
      const { completion } = await gateway.request(gateway.store.get(mount), 'completion/complete', params, {});
      const values = isObject(completion) && Array.isArray(completion.values) ? completion.values : [];
      return values.filter((one) => typeof one === 'string').slice(0, 100);
    };
  };

  return {
    close: () => watches.close(),
    resources: () =>
      usable().flatMap((state) => {
        const { mount, listing } = state;
        return (listing?.resources ?? []).flatMap((entry): Resource[] => {
          const { uri, size } = entry;
          if (typeof uri !== 'string') return [];
          const described = describe(state, alone, entry, uri);
          return [
            {
              ...described,
              uri: addressOf(mount.name, uri),
              ...(typeof size === 'number' && { size }),
              read: (call) => read(mount.name, uri, call),
              watch: () => watch(mount.name, uri),
            },
          ];
        });
      }),
    templates: () =>
      usable().flatMap((state) => {
        const { mount, listing } = state;
        return (listing?.resourceTemplates ?? []).flatMap((entry): ResourceTemplate[] => {
          const { uriTemplate } = entry;
          if (typeof uriTemplate !== 'string' || !plainTemplate.test(uriTemplate)) return [];
          const names = [...uriTemplate.matchAll(/\{\+?(\w+)\}/g)].map(([, name = '']) => name);
          const ref = { type: 'ref/resource', uri: uriTemplate };
          return [
            {
              ...describe(state, alone, entry, uriTemplate),
              uriTemplate: addressOf(mount.name, uriTemplate),
              read: (_values, uri, call) => read(mount.name, ownUri(mount.name, uri), call),
              watch: (_values, uri) => watch(mount.name, ownUri(mount.name, uri)),
              complete: Object.fromEntries(names.map((name) => [name, completer(mount.name, ref, name)])),
            },
          ];
        });
      }),
    prompts: () =>
      usable().flatMap((state) => {
        const { mount, listing } = state;
        return (listing?.prompts ?? []).flatMap((entry): Prompt[] => {
          const { name } = entry;
          if (typeof name !== 'string') return [];
          const args = (Array.isArray(entry.arguments) ? entry.arguments : []).filter(isObject);
          const ref = { type: 'ref/prompt', name };
          return [
            {
              ...describe(state, alone, entry, name),
              name: alone === undefined ? `${mount.name}_${name}` : name,
              arguments: args.flatMap((argument) =>
                typeof argument.name === 'string'
                  ? [
                      {
                        ...describeArgument(state, argument, argument.name),
                        required: argument.required === true,
                        complete: completer(mount.name, ref, argument.name),
                      },
                    ]
                  : [],
              ),
              async get(given, call) {
                const { messages } = await request(mount.name, 'prompts/get', { name, arguments: given }, call);
                return readMessages(mount.name, messages);
              },
            },
          ];
        });
      }),
  };
}

function readMessages(mount: string, messages: unknown): PromptMessage[] {
  const known = (Array.isArray(messages) ? messages : []).filter(isObject).filter(({ content }) => isObject(content));
  if (known.length === 0) throw new LoreError('unavailable', `Cannot get the prompt: "${mount}" returned no message`);
  return known.map(({ role, content }) => ({
    role: role === 'assistant' ? 'assistant' : 'user',
    content: content as PromptMessage['content'],
  }));
}
