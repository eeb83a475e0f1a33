// collection_create: creates a named set of documents with its own search.
import { LoreError } from '../../../core/error.ts';
import * as s from '../../../core/schema.ts';
import { defineTool } from '../../../core/tool.ts';
import type { Node } from '../../../graph/node.ts';
import { ensureProject, type Scope } from '../../../graph/project/scope.ts';
import type { JournalContext } from '../context.ts';
import {
  checkName,
  collectionKind,
  collectionName,
  findNamed,
  listCollections,
  mostCollections,
} from './collection.ts';

const noSize = 'vector_size was ignored: the server embeds every text itself, so its embedder sets the size.';

export function createCreateTool(context: JournalContext) {
  return defineTool({
    name: 'collection_create',
    title: 'Create a collection',
    description: 'Create a named collection of documents; fill it with collection_ingest.',
    effect: 'write',
    examples: [['lore collection create handbook --description "How we work"', 'an empty collection']],
    idempotent: true,
    input: s.object({
      collection_name: collectionName,
      description: s.optional(s.string({ max: 2_000 })),
      vector_size: s.optional(s.integer({ min: 1, max: 65_536, description: 'Ignored' })),
    }),
    output: s.object({
      collection_name: s.string(),
      description: s.string(),
      created: s.boolean({ description: 'false: it existed' }),
      note: s.optional(s.string()),
    }),
    async run({ collection_name: name, description, vector_size: size }, call) {
      checkName(name);
      const scope = await context.open(call);
      const { node, created } = await createCollection(scope, name, description);
      return {
        collection_name: node.title,
        description: node.text,
        created,
        ...(size !== undefined && { note: noSize }),
      };
    },
    render: ({ collection_name: name, created, note }) =>
      [`Collection "${name}" ${created ? 'was created' : 'already exists'}.`, note].filter(Boolean).join(' '),
  });
}

async function createCollection(scope: Scope, name: string, description: string | undefined) {
  const { graph } = scope.opened;
  for (;;) {
    const { current, next } = await findNamed(scope, name);
    if (current) return { node: expectSameDescription(current, description), created: false };
    if ((await listCollections(scope)).length >= mostCollections) {
      throw new LoreError(
        'limit_exceeded',
        `Cannot create collection "${name}": a project has at most ${mostCollections}`,
        {
          hint: 'Delete one with collection_delete, or use an existing one.',
        },
      );
    }
    await ensureProject(scope);
    const draft = { id: next, project: scope.project.id, kind: collectionKind, title: name, text: description ?? '' };
    try {
      const [node] = await graph.put([draft], scope.actor);
      return { node: node as Node, created: true };
    } catch (error) {
      // Another process was faster, so it exists now.
      if (!(error instanceof LoreError) || error.word !== 'conflict') throw error;
    }
  }
}

function expectSameDescription(node: Node, description: string | undefined): Node {
  if (description === undefined || description === node.text) return node;
  throw new LoreError('conflict', `Cannot create collection "${node.title}": it exists with another description`, {
    hint: 'Use it unchanged, choose another name, or delete it first.',
    details: { path: 'arguments.description', expected: node.text || 'none', received: description },
  });
}
