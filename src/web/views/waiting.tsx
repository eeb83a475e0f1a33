// Tools of mounted servers that wait for an approval: what changed, and why each looks suspicious. The hash makes sure that
// the definition on the page is the one that is approved.
import { call } from '../core/port.ts';
import { useTool } from '../core/use-tool.ts';
import { ask } from '../parts/dialog.tsx';
import { Badge, count } from '../parts/page.tsx';
import { perform } from '../parts/toast.tsx';

interface WaitingTool {
  mount: string;
  tool: string;
  state: string;
  suspicions: { kind: string; text: string }[];
  changes: { sign: string; text: string }[];
  hash: string;
}

export function Waiting({ onChange }: { onChange(): void }) {
  const { data, reload } = useTool<{ total: number; waiting: WaitingTool[] }>('mount_review', {});
  if (!data || data.total === 0) return null;
  const approve = async ({ mount, tool, hash, suspicions }: WaitingTool) => {
    const text = 'Agents can then find and call it as it is shown here.';
    const title = `Approve “${tool}”?`;
    const sure = await ask({ title, text, action: 'Approve', isDangerous: suspicions.length > 0 });
    if (sure === undefined) return;
    await perform(`Approved ${tool}.`, () => call('mount_approve', { mount, tool, hash }));
    reload();
    onChange();
  };
  const { total, waiting } = data;
  return (
    <section aria-label="Waiting for approval">
      <h3>
        {count(total, 'tool')} {total === 1 ? 'waits' : 'wait'} for your approval
        {total > waiting.length && `; these are the first ${waiting.length}`}
      </h3>
      <ul class="cards">
        {waiting.map((one) => (
          <li key={one.tool}>
            <strong>{one.tool}</strong> <Badge tone="warn">{one.state}</Badge>
            {one.suspicions.map(({ kind, text }, at) => (
              <p key={at}>
                <Badge tone="failed">{kind}</Badge> <q>{text}</q>
              </p>
            ))}
            <Changes lines={one.changes} />
            <div class="actions">
              <button type="button" aria-label={`Approve ${one.tool}`} onClick={() => void approve(one)}>
                Approve
              </button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** By line; hidden characters were made visible by the server. */
function Changes({ lines }: { lines: WaitingTool['changes'] }) {
  return (
    <pre class="diff">
      {lines.map(({ sign, text }, at) => {
        const line = `${sign} ${text}\n`;
        if (sign === '+') return <ins key={at}>{line}</ins>;
        if (sign === '-') return <del key={at}>{line}</del>;
        return sign === '!' ? <strong key={at}>{line}</strong> : line;
      })}
    </pre>
  );
}
