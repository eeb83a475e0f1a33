// A page of the dashboard in a real browser, signed in, with entries, and a way to call tools beside it.
import { openPage } from './browser.ts';
import { openDashboard, signIn } from './dashboard.ts';
import { send } from './http-request.ts';

export const views = [
  'memories',
  'timeline',
  'checkpoints',
  'fixes',
  'skills',
  'collections',
  'graph',
  'code',
  'projects',
  'operations',
  'sources',
  'permissions',
  'audit',
  'statistics',
];

export async function openWith(texts: readonly string[]) {
  const dashboard = await openDashboard();
  const headers = await signIn(dashboard.origin, dashboard.key);
  const call = async (tool: string, args: object) => {
    const body = JSON.stringify({ tool, arguments: args });
    return JSON.parse((await send(`${dashboard.origin}/ui/call`, { method: 'POST', headers, body })).body);
  };
  const ids: string[] = [];
  for (const content of texts) ids.push((await call('remember', { content })).id);
  const link = `${dashboard.origin}/ui/#k=${await dashboard.open()}`;
  return { ...dashboard, ...(await openPage(link)), call, ids };
}
