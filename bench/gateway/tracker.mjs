// A server with the habits of an issue tracker: its schemas are loose, as many are, and it refuses wrong values itself.
import { createInterface } from 'node:readline';

const isText = (value) => typeof value === 'string';
const must = (isRight, text) => {
  if (!isRight) throw new Error(text);
};

/** By tool: the check of its arguments, whose error names what it expects more or less clearly. */
const tools = {
  add_event: ({ date }) => must(/^\d{4}-\d\d-\d\d$/.test(date), `Invalid date: ${date}`),
  list_changes: ({ since }) =>
    must(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(since), `since: cannot parse ${JSON.stringify(since)}`),
  list_issues: ({ state }) => must(['open', 'closed', 'all'].includes(state), 'Validation failed: state'),
  get_repository: ({ repo }) => must(/^[\w-]+\/[\w-]+$/.test(repo), '404 Not Found'),
  add_labels: ({ labels }) => must(Array.isArray(labels), 'labels.map is not a function'),
  page_issues: ({ per_page: count }) => must(Number.isInteger(count), 'per_page is not a number'),
  create_issue: ({ title }) => must(isText(title) && title !== '', 'Unprocessable entity'),
  search_issues: ({ q }) => must(isText(q), 'Missing required parameter'),
  assign: ({ user }) => must(/@/.test(user), `No account for "${user}"`),
  close_issue: ({ reason }) =>
    must(['completed', 'not_planned'].includes(reason), `reason must be one of completed, not_planned; got ${reason}`),
  set_color: ({ color }) => must(/^#[0-9a-f]{6}$/.test(color), `bad color ${color}`),
  run_job: ({ inputs }) => must(typeof inputs === 'object' && inputs !== null, 'inputs: expected a mapping'),
  delete_branch: ({ force }) => must(force === true, 'Branch is not merged'),
  read_page: ({ page }) => must(page >= 1, 'Page out of range'),
  call_hook: ({ url, token }) => must(/^https:/.test(url) && isText(token), `Hook rejected for ${token}`),
};

function call({ name, arguments: args = {} }) {
  try {
    tools[name](args);
    return { content: [{ type: 'text', text: `${name}: done` }] };
  } catch (error) {
    return { content: [{ type: 'text', text: `Error: ${error.message}` }], isError: true };
  }
}

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'tracker', version: '1' },
  }),
  'tools/list': () => ({
    tools: Object.keys(tools).map((name) => ({
      name,
      description: `The operation ${name.replaceAll('_', ' ')} of a tracker.`,
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    })),
  }),
  'tools/call': call,
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const reply = answer ? { result: answer(params) } : { error: { code: -32601, message: 'unknown' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`);
});
