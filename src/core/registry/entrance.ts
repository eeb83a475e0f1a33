// The two kinds of entries: tools, whose arguments and results have schemas, and everything else.
import type { Soon } from '../attempt.ts';
import type { Call } from '../call.ts';
import { text } from '../content.ts';
import { check } from '../schema.ts';
import { redactAnswer, redactResult } from '../secret/outgoing.ts';
import { redactDeep } from '../secret/redact.ts';
import type { Tool, ToolResult } from '../tool.ts';
import type { Entrance, Owner } from './door.ts';

export function createToolEntrance(owner: Owner & { readonly tool: Tool }): Entrance<unknown, unknown, ToolResult> {
  const { tool } = owner;
  return {
    owners: [owner],
    isTool: true,
    validate: (raw) => check(tool.input, raw ?? {}, 'arguments', `call "${tool.name}"`),
    run: (args, call) => tool.run(args, call),
    finish: (value, receives) => finishResult(tool, value, receives),
    redact: redactResult,
    sent: selectSent,
  };
}

/** The request was validated when its entry was found. */
export function createPlainEntrance<T>(owners: readonly Owner[], run: () => Soon<T>): Entrance<void, T, T> {
  return { owners, validate() {}, run, finish: (value) => value, redact: redactAnswer, sent: (value) => value };
}

function finishResult(tool: Tool, value: unknown, receives: Call['receives']): ToolResult {
  const rendered = tool.render ? tool.render(value) : typeof value === 'string' ? value : writeJson(value);
  const content = typeof rendered === 'string' ? [text(rendered)] : rendered;
  if (!tool.output) return { content };
  const issues: { path: string; expected: string; received: string }[] = [];
  const structured = tool.output.read(value, 'result', issues);
  const first = issues[0];
  if (first) throw new Error(`${tool.name} broke its output schema: ${first.path} should be ${first.expected}`);
  return receives === 'text' ? { content } : { content, structured };
}

/** Redacted before serialisation: escapes could hide a secret from a rule. */
function writeJson(value: unknown): string {
  return JSON.stringify(redactDeep(value), null, 2);
}

function selectSent({ content, structured }: ToolResult, receives: Call['receives'] = 'both'): unknown {
  if (receives === 'text' || structured === undefined) return content;
  return receives === 'data' ? structured : { content, structured };
}
