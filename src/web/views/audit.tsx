// The audit log: calls of audited tools, and every refusal.
import { filter, route } from '../core/route.ts';
import { useTool } from '../core/use-tool.ts';
import { Badge, Choice, Page } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/state.tsx';
import { oneLine } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';

interface AuditRow {
  seq: number;
  time: string;
  caller: string;
  tool: string;
  outcome: string;
  arguments?: string;
  message?: string;
}

export function Audit() {
  const { outcome = '' } = route.value.params;
  const state = useTool<{ lines: AuditRow[] }>('audit_list', { limit: 500 }, () => false);
  return (
    <Page title="Audit log" isWide>
      <div class="filters">
        <Choice
          label="Outcome"
          value={outcome}
          options={[
            ['', 'All'],
            ['refused', 'Refused'],
            ['ok', 'Done'],
          ]}
          onChange={(value) => filter({ outcome: value })}
        />
      </div>
      <div class="content">
        <Shown state={state}>
          {({ lines }) => {
            const shown = lines.filter((line) =>
              outcome === 'ok' ? line.outcome === 'ok' : outcome === '' || !['ok', 'begun'].includes(line.outcome),
            );
            if (shown.length === 0) {
              return (
                <Empty title="Nothing has been audited" command="lore audit --verify">
                  <p>
                    Calls that change the system, purges and all refusals are recorded in a signed log. The command
                    verifies it.
                  </p>
                </Empty>
              );
            }
            return (
              <table>
                <thead>
                  <tr>
                    <th>Time</th>
                    <th>Tool</th>
                    <th>Outcome</th>
                    <th>Caller</th>
                    <th>Details</th>
                  </tr>
                </thead>
                <tbody>
                  {shown.map((line) => (
                    <tr key={line.seq}>
                      <td>
                        <Time at={line.time} />
                      </td>
                      <td>
                        <code>{line.tool}</code>
                      </td>
                      <td>
                        <Badge tone={line.outcome === 'ok' || line.outcome === 'begun' ? '' : 'warn'}>
                          {line.outcome}
                        </Badge>
                      </td>
                      <td>{line.caller}</td>
                      <td class="dim">{oneLine(line.message ?? line.arguments ?? '', 240)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            );
          }}
        </Shown>
      </div>
    </Page>
  );
}
