// mount_review and mount_approve: a person sees the tools that wait for an approval, and approves them as they were shown.
import { LoreError } from '../../core/error.ts';
import * as s from '../../core/schema.ts';
import { defineTool, type Tool } from '../../core/tool.ts';
import type { Gateway } from './gateway.ts';

/** Undefined if nothing was ever mounted. */
type Open = () => Promise<Gateway | undefined>;

const loadWaiting = () => import('./trust/waiting.ts');

export function createReviewTools(open: Open): Tool[] {
  return [createReviewTool(open), createApproveTool(open)];
}

function createReviewTool(open: Open) {
  const waiting = s.object({
    mount: s.string(),
    tool: s.string(),
    state: s.string(),
    suspicions: s.list(s.object({ kind: s.string(), text: s.string() })),
    changes: s.list(s.object({ sign: s.oneOf([' ', '-', '+', '!']), text: s.string() })),
    hash: s.string({ description: 'Of the server and the definition; mount_approve takes it' }),
  });
  return defineTool({
    name: 'mount_review',
    title: 'Review mounted tools',
    description: 'List tools of mounted servers that wait for an approval, with what changed.',
    effect: 'read',
    scope: 'person',
    input: s.object({ limit: s.withDefault(s.integer({ min: 1, max: 100 }), 20) }),
    output: s.object({ total: s.integer(), waiting: s.list(waiting) }),
    async run({ limit }) {
      const gateway = await open();
      if (!gateway) return { total: 0, waiting: [] };
      const { listWaiting } = await loadWaiting();
      const all = gateway.store.list().flatMap(({ mount: { name: mount } }) =>
        listWaiting(gateway.store, mount).map(({ tool: _, name, suspicions, changes, ...rest }) => ({
          mount,
          tool: name,
          ...rest,
          suspicions: suspicions.map(({ kind, text }) => ({ kind, text })),
          changes: [...changes],
        })),
      );
      return { total: all.length, waiting: all.slice(0, limit) };
    },
    render: ({ waiting }) => waiting.map(({ tool, state }) => `${tool}: ${state}`).join('\n'),
  });
}

function createApproveTool(open: Open) {
  return defineTool({
    name: 'mount_approve',
    title: 'Approve a mounted tool',
    description: 'Approve a tool of a mounted server as mount_review shows it.',
    effect: 'write',
    scope: 'person',
    audited: true,
    idempotent: true,
    input: s.object({
      mount: s.string({ min: 1, max: 64 }),
      tool: s.string({ min: 1, max: 200 }),
      hash: s.string({ min: 1, max: 200 }),
    }),
    output: s.object({ mount: s.string(), tool: s.string() }),
    async run({ mount, tool: name, hash }) {
      const gateway = await open();
      if (!gateway) throw new LoreError('not_found', `Cannot approve "${name}": no server is mounted`);
      const { listWaiting } = await loadWaiting();
      const [found] = listWaiting(gateway.store, mount, [name]);
      if (found?.hash !== hash) {
        throw new LoreError('conflict', `Cannot approve "${name}": it has changed since it was shown`, {
          hint: 'Review it again.',
        });
      }
      await gateway.approve(mount, [found.tool]);
      return { mount, tool: name };
    },
    render: ({ tool }) => `Approved ${tool}.`,
  });
}
