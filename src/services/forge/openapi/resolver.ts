// Follows `$ref` inside one document, when a value is needed. References to other files were made local by `bundle.ts`;
// one that is still remote is never fetched.
import { LoreError } from '../../../core/error.ts';
import { isObject } from '../../../core/schema.ts';
import type { ApiDocument, JsonObject } from './document.ts';

const longestChain = 50;

export class Resolver {
  readonly #root: JsonObject;
  readonly #hasSiblings: boolean;

  constructor({ root, version }: ApiDocument) {
    this.#root = root;
    // Before 3.1, the neighbours of a reference are ignored.
    this.#hasSiblings = version === '3.1' || version === '3.2';
  }

  /** The object that a node stands for; an empty one if it is something else. Neighbours of a reference override its target. */
  follow(node: unknown, hasSiblings = this.#hasSiblings): JsonObject {
    let current = isObject(node) ? node : {};
    for (let links = 0; typeof current.$ref === 'string'; links++) {
      if (links === longestChain) throw unresolved(current.$ref, 'its references form a cycle');
      const { $ref, ...siblings } = current;
      const target = this.find($ref as string);
      current = hasSiblings && Object.keys(siblings).length > 0 ? { ...target, ...siblings } : target;
    }
    return current;
  }

  /** The target of one reference. */
  find(reference: string): JsonObject {
    if (!reference.startsWith('#')) throw unresolved(reference, 'it is outside the document');
    let node: unknown = this.#root;
    for (const step of stepsOf(reference)) {
      const holds = typeof node === 'object' && node !== null && Object.hasOwn(node, step);
      node = holds ? (node as JsonObject)[step] : undefined;
    }
    if (isObject(node)) return node;
    throw unresolved(reference, 'the document does not contain it');
  }
}

/** The keys of a JSON pointer in a fragment, such as `#/paths/~1users~1%7Bid%7D`. */
export function stepsOf(reference: string): string[] {
  const pointer = decodePercent(reference.slice(1));
  return pointer === '' ? [] : pointer.split('/').slice(1).map(unescapeStep);
}

function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** A text that is not percent-encoded correctly stays as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unresolved(reference: string, reason: string): LoreError {
  return new LoreError('invalid_input', `Cannot follow the reference "${reference}": ${reason}`);
}
