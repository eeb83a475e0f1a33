// Before anything is timed: does every server answer correctly? A fast wrong answer must not win.
import assert from 'node:assert/strict';
import { HttpServer } from './http-server.mjs';
import { callBig, callEcho, listTools } from './requests.mjs';
import { bigLength, tools } from './rivals/tools.mjs';
import { listHttpServers, listStdioServers } from './servers.mjs';
import { StdioServer } from './stdio-server.mjs';

const badCall = { method: 'tools/call', params: { name: 'echo', arguments: { text: 7 } } };

/** @param {string} id @param {(operation: import('./requests.mjs').Operation) => Promise<any>} ask */
async function verifyAnswers(id, ask) {
  const echoed = await ask(callEcho);
  assert.equal(echoed.result?.content?.[0]?.text, 'hellohello', `${id}: echo`);
  const listed = await ask(listTools);
  const names = listed.result?.tools?.map((/** @type {any} */ tool) => tool.name).sort();
  assert.deepEqual(names, tools.map((tool) => tool.name).sort(), `${id}: tools/list`);
  const filler = listed.result.tools.find((/** @type {any} */ tool) => tool.name === 'tool_00');
  const described = Object.values(filler.inputSchema.properties).filter((/** @type {any} */ one) => one.description);
  assert.equal(described.length, 3, `${id}: three documented arguments`);
  const large = await ask(callBig);
  assert.equal(large.result?.content?.[0]?.text?.length, bigLength, `${id}: big`);
  if (id === 'bare') return;
  const refused = await ask(badCall);
  assert.ok(refused.error || refused.result?.isError, `${id}: a wrong argument must be refused`);
}

/** @param {string | undefined} ours */
export async function verifyServers(ours) {
  for (const entry of listStdioServers(ours)) {
    const server = new StdioServer(entry);
    await server.open();
    await verifyAnswers(`${entry.id}`, (operation) => server.ask(operation));
    await server.close();
  }
  for (const entry of listHttpServers(ours)) {
    const server = await HttpServer.start(entry);
    await server.askUntilUp(listTools);
    const session = await server.openSession();
    await verifyAnswers(entry.id, async (operation) => (await server.ask(operation, session)).message);
    await server.close();
  }
}
