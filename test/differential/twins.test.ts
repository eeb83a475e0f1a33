// The same conversation of the same client with the official server and with ours. Where the two differ, the difference
// is decided and stands here with its reason; any other is a defect.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { expect, it } from 'vitest';
import { clientInfo } from './client.ts';
import { createInProcessTransport } from './in-process.ts';
import { type Observation, observe } from './observe.ts';
import { createOfficial } from './twin-official.ts';
import { createOurs } from './twin-ours.ts';

it('shows the client the same, except for deliberate differences', async () => {
  const official = new Client(clientInfo);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([createOfficial().connect(far), official.connect(near)]);
  const theirs = await observe(official);
  await official.close();

  const client = new Client(clientInfo);
  await client.connect(createInProcessTransport(await createOurs()));
  const ours = await observe(client);
  await client.close();

  expect(ours).toEqual({ ...theirs, ...decide(theirs) });
});

/** What ours does otherwise, and why. */
function decide(theirs: Observation): Observation {
  const described = (step: string) => ({ description: 'Reviews code.', ...(theirs[step] as object) });
  return {
    // A misspelt argument is told to the model that misspelt it, and not dropped.
    'an argument too many': { isError: true },
    // The specification's own example; the official server answers with a result.
    'a tool that is not there': { error: -32602 },
    // What the sessionful revisions prescribe; the official server uses the code of the stateless one everywhere.
    'a resource that is not there': { error: -32002 },
    // Allowed by every revision, and useful to a person who sees only the prompt.
    'a prompt': described('a prompt'),
    'a prompt without what it may have': described('a prompt without what it may have'),
    // Some clients check the structured content of failures too: what is required stands beside the error object.
    tools: (theirs.tools as Tool[]).map((tool) =>
      tool.output ? { ...tool, output: { ...tool.output, required: [] } } : tool,
    ),
  };
}

type Tool = { output?: object };
