// lore mount review: shows the tools that wait for an approval, what is different about each, and approves them.
import type { Invocation } from '../core/command.ts';
import { showHidden } from '../core/text/fence.ts';
import type { Gateway } from '../services/gateway/gateway.ts';
import type { DiffLine } from '../services/gateway/trust/review.ts';
import { listWaiting } from '../services/gateway/trust/waiting.ts';
import { confirm } from './confirm.ts';

export async function reviewMount(
  gateway: Gateway,
  name: string,
  wanted: readonly string[],
  { options, output }: Invocation,
): Promise<number> {
  const entries = listWaiting(gateway.store, name, wanted.length === 0 ? undefined : wanted);
  if (output.json) output.printJson(entries.map(({ tool: _, ...entry }) => entry));
  else if (entries.length === 0) output.print(`All tools of ${name} are approved.`);
  if (entries.length === 0) return 0;
  if (!output.json) {
    for (const { name: tool, state: why, suspicions, changes } of entries) {
      output.print(`${output.bold(tool)} · ${why}`);
      for (const { kind, text } of suspicions) output.print(`  ! ${kind}: ${text}`);
      output.print(`${changes.map((line) => paint(line, output)).join('\n')}\n`);
    }
  }
  if (output.json && options.approve !== true) return 0;
  const count = entries.length === 1 ? 'this tool' : `these ${entries.length} tools`;
  if (options.approve !== true && !(await confirm(`Approve ${count} of ${name}?`))) return 0;
  await gateway.approve(
    name,
    entries.map(({ tool }) => tool),
  );
  if (!output.json) output.print(`Approved ${count} of ${showHidden(name)}.`);
  return 0;
}

function paint({ sign, text }: DiffLine, { dim, bold }: Invocation['output']): string {
  const line = `${sign} ${text}`;
  return sign === ' ' ? dim(line) : sign === '!' ? bold(line) : line;
}
