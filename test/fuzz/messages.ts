// Well-formed messages, each as JSON texts by member, so that one member at a time can be made odd.
import type { Random } from './random.ts';
import { inheritedNames, makeOddText } from './values.ts';

export type Members = Map<string, string>;

const sessionMethods: [string, string][] = [
  ['ping', '{}'],
  ['tools/list', '{}'],
  ['prompts/list', '{"_meta":{"progressToken":"t"}}'],
  ['resources/list', '{}'],
  ['tools/call', '{"name":"greet","arguments":{"name":"Ada"}}'],
  ['tools/call', '{"name":"greet","arguments":{"__proto__":{"name":"Ada"}}}'],
  ['tools/call', '{"name":"nothing"}'],
  ['resources/read', '{"uri":"test://static-text"}'],
  ['resources/read', '{"uri":"test://nowhere"}'],
  ['prompts/get', '{"name":"test_simple_prompt"}'],
  [
    'completion/complete',
    '{"ref":{"type":"ref/prompt","name":"test_simple_prompt"},"argument":{"name":"a","value":"b"}}',
  ],
  ['logging/setLevel', '{"level":"error"}'],
  ['resources/unsubscribe', '{"uri":"test://watched-resource"}'],
  ['initialize', '{"protocolVersion":"2025-11-25","capabilities":{}}'],
  ['server/discover', '{}'],
  ['nothing/there', '{}'],
];

const notifications: [string, string][] = [
  ['notifications/initialized', '{}'],
  ['notifications/cancelled', '{"requestId":"nothing"}'],
  ['notifications/cancelled', '{"requestId":{"toString":1}}'],
  ['notifications/progress', '{"progressToken":1,"progress":1}'],
  ['notifications/nothing', '{}'],
];

const version = '"io.modelcontextprotocol/protocolVersion"';
const capabilities = '"io.modelcontextprotocol/clientCapabilities"';

const statelessMethods: [string, string][] = [
  ['server/discover', ''],
  ['tools/list', ''],
  ['ping', ''],
  ['tasks/get', '"taskId":"nothing",'],
  ['subscriptions/listen', '"notifications":7,'],
  ['tools/call', '"name":"greet","arguments":{"name":"Ada"},'],
  ['tools/call', '"name":"greet","requestState":"forged.state",'],
  ['resources/read', '"uri":"test://nowhere",'],
];

/** Unlike every other id of the run, and still so after a character of it has been lost. */
export function makeId(random: Random, number: number): string {
  return random.chance(0.3) ? `${number}${random.int(1e6)}` : `"c${number}-${random.word(8)}"`;
}

export function makeMessage(random: Random, number: number): Members {
  const kind = random.int(20);
  if (kind < 3) return members(random.pick(notifications));
  if (kind === 3) return response(random);
  const request = kind < 9 ? statelessRequest(random) : members(random.pick(sessionMethods));
  if (kind === 19) request.set('method', JSON.stringify(random.pick(inheritedNames)));
  request.set('id', makeId(random, number));
  return request;
}

function members([method, params]: [string, string]): Members {
  return new Map([
    ['jsonrpc', '"2.0"'],
    ['method', JSON.stringify(method)],
    ['params', params],
  ]);
}

function statelessRequest(random: Random): Members {
  const [method, params] = random.pick(statelessMethods);
  const revision = random.chance(0.7)
    ? '"2026-07-28"'
    : random.pick(['"2025-06-18"', '"2099-01-01"', makeOddText(random)]);
  const offered = random.chance(0.8) ? '{}' : makeOddText(random);
  return members([method, `{${params}"_meta":{${version}:${revision},${capabilities}:${offered}}}`]);
}

function response(random: Random): Members {
  const answer = random.chance(0.5) ? ['result', '{}'] : ['error', '{"code":-1,"message":"no"}'];
  return new Map([
    ['jsonrpc', '"2.0"'],
    ['id', '"ask-1"'],
    [answer[0] as string, answer[1] as string],
  ]);
}

export function writeMembers(message: Members): string {
  return `{${[...message].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
}
