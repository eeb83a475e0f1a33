// Values deeper than any recursion can follow, in each place where a value is looked at, compared or told back.

const levels = 100_000;

/** An array, an object, and one that does not end. */
export const deepValues = [
  `${'['.repeat(levels)}${']'.repeat(levels)}`,
  `${'{"a":'.repeat(levels)}0${'}'.repeat(levels)}`,
  '['.repeat(levels),
];

const version = 'io.modelcontextprotocol/protocolVersion';
const capabilities = 'io.modelcontextprotocol/clientCapabilities';
const modern = `"_meta":{"${version}":"2026-07-28","${capabilities}":{}}`;

/** `"@"` is where the value goes, `"#"` where the id does. */
export const deepPlaces = [
  '"@"',
  '["@"]',
  '{"jsonrpc":"@","id":"#","method":"ping"}',
  '{"jsonrpc":"2.0","id":"@","method":"ping"}',
  '{"jsonrpc":"2.0","id":"#","method":"@"}',
  '{"jsonrpc":"2.0","id":"#","method":"ping","params":"@"}',
  '{"jsonrpc":"2.0","id":"#","method":"ping","params":{"a":"@"}}',
  '{"jsonrpc":"2.0","id":"#","method":"tools/list","params":{"cursor":"@"}}',
  '{"jsonrpc":"2.0","id":"#","method":"tools/call","params":{"name":"@"}}',
  '{"jsonrpc":"2.0","id":"#","method":"tools/call","params":{"name":"greet","arguments":"@"}}',
  '{"jsonrpc":"2.0","id":"#","method":"tools/call","params":{"name":"greet","arguments":{"name":"@"}}}',
  '{"jsonrpc":"2.0","id":"#","method":"tools/call","params":{"name":"greet","arguments":{"extra":"@"}}}',
  '{"jsonrpc":"2.0","id":"#","method":"resources/read","params":{"uri":"@"}}',
  '{"jsonrpc":"2.0","id":"#","method":"prompts/get","params":{"name":"test_simple_prompt","arguments":{"a":"@"}}}',
  '{"jsonrpc":"2.0","id":"#","method":"completion/complete","params":{"ref":"@","argument":{"name":"a","value":"b"}}}',
  '{"jsonrpc":"2.0","id":"#","method":"logging/setLevel","params":{"level":"@"}}',
  '{"jsonrpc":"2.0","id":"#","method":"initialize","params":{"clientInfo":"@"}}',
  `{"jsonrpc":"2.0","id":"#","method":"tools/list","params":{"_meta":{"${version}":"@"}}}`,
  `{"jsonrpc":"2.0","id":"#","method":"tools/list","params":{"_meta":{"${version}":"2026-07-28","${capabilities}":"@"}}}`,
  `{"jsonrpc":"2.0","id":"#","method":"tools/call","params":{"name":"greet","requestState":"@",${modern}}}`,
  `{"jsonrpc":"2.0","id":"#","method":"tools/call","params":{"name":"greet","inputResponses":{"a":"@"},${modern}}}`,
  `{"jsonrpc":"2.0","id":"#","method":"subscriptions/listen","params":{"notifications":["@"],${modern}}}`,
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"@"}}',
  '{"jsonrpc":"2.0","id":"ask-1","result":{"a":"@"}}',
  '{"jsonrpc":"2.0","id":"ask-1","error":{"code":1,"message":"@"}}',
];

export function nest(place: string, value: string, id: string): string {
  return place.replace('"#"', id).replace('"@"', value);
}
