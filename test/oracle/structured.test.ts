// Clients check `structuredContent` by the schema the list gave them, some of them on failures too: both must fit.
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { argumentsOfTool } from './arguments.ts';
import { clientInfo, openConversation } from './conversation.ts';
import { listAll } from './lists.ts';
import { envelope } from './stateless-script.ts';

const dialects = { 'draft-07': Ajv, '2020-12': Ajv2020 };

it.concurrent.each(['2025-06-18', '2025-11-25', '2026-07-28'] as const)('%s', async (revision) => {
  const talk = await openConversation(revision, { LORE_STRUCTURED: '1' });
  const session = revision !== '2026-07-28';
  if (session) await talk.request('initialize', { protocolVersion: revision, capabilities: {}, clientInfo });
  const request = (method: string, params?: object) =>
    talk.request(method, session ? params : { _meta: envelope(), ...params });
  const tools = (await listAll(request, 'tools/list')).filter(({ outputSchema }) => outputSchema !== undefined);
  expect(tools.length).toBeGreaterThan(1);
  await Promise.all(
    tools.map(async ({ name, outputSchema }) => {
      // The revisions before 2025-11-25 name no dialect, and clients of theirs read schemas as draft-07.
      const checks = Object.entries(dialects).map(([dialect, Validator]) => {
        const validator = new Validator({ strict: false, validateFormats: false });
        return { dialect, validator, fits: validator.compile(outputSchema as object) };
      });
      for (const args of [argumentsOfTool(name as string), { nonsense: true }]) {
        const answer = await request('tools/call', { name, arguments: args });
        // What has become a task has nothing to show yet.
        if (answer?.result?.resultType === 'task') continue;
        for (const { dialect, validator, fits } of checks) {
          expect(
            fits(answer?.result?.structuredContent),
            `${name} by ${dialect}: ${validator.errorsText(fits.errors)}`,
          ).toBe(true);
        }
      }
    }),
  );
  await talk.app.stop();
  expect(talk.judge.problems).toEqual([]);
});
