// A process that needs an access token: prints the one that a call of the API was sent with.
import { createPlainCall, personCaller } from '../../src/core/call.ts';
import { locateTool, runTool } from '../../src/services/forge/call/run.ts';
import { openForge } from '../../src/services/forge/forge.ts';

const [folder = '', name = ''] = process.argv.slice(2);
const forge = openForge({ folder, reserved: async () => [] });
const refuseFile = () => Promise.reject(new Error('no files'));
const call = createPlainCall(personCaller);
const answer = await runTool(forge, await locateTool(forge, name), {}, call, { readFile: refuseFile });
process.stdout.write(JSON.stringify(answer.data));
