// Answers a hook with a given app: the same for a process started by the hook and for a running server.
import { type CallTool, findContext } from '../../agents/hook.ts';
import { type HookEvent, type HookInput, hookEvents } from '../../agents/hook-event.ts';
import type { App } from '../../app.ts';
import { createPlainCall, localCaller } from '../../core/call.ts';
import { LoreError } from '../../core/error.ts';
import { isObject } from '../../core/schema.ts';

export function findEvent(name: string): HookEvent {
  const event = Object.hasOwn(hookEvents, name) ? hookEvents[name] : undefined;
  if (event) return event;
  throw new LoreError('invalid_input', `Cannot answer the hook "${name}": there is no such event`);
}

export function createToolCaller(app: App): CallTool {
  return async (name, args) => {
    await app.load();
    const { content, structured } = await app.registry.call(name, args, createPlainCall(localCaller));
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    return { text, structured: isObject(structured) ? structured : {} };
  };
}

/** In the format of the agent; undefined if there is nothing to add. */
export async function answerHook(name: string, input: HookInput, call: CallTool): Promise<string | undefined> {
  const event = findEvent(name);
  const context = await findContext(event, input, call);
  return context === undefined || !event.wrap ? undefined : JSON.stringify(event.wrap(context, name));
}
