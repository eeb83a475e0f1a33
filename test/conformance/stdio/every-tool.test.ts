// Every tool of the fixture over stdio, in every revision, by a client that answers what it is asked.
import { describe, expect, it } from 'vitest';
import type { Json, Message } from '../../support/stdio-client.ts';
import { createFixtureService } from '../fixture/service.ts';
import { toolCases } from './cases.ts';
import {
  ableClient,
  sessionRevisions,
  share,
  startClient,
  startSession,
  statelessRevision,
  wrap,
} from './conversation.ts';
import { followCall, patientClient } from './follow.ts';

const cases = Object.entries(toolCases);
/** Results as data, and the schemas of it. */
const structured = { LORE_STRUCTURED: '1' };

const names = cases.map(([name]) => name);

it('has a case for every tool of the fixture', () => {
  const tools = createFixtureService().tools?.() ?? [];
  expect(tools.map(({ name }) => name).sort()).toEqual(names.toSorted());
});

function namesOf({ result }: Message): string[] {
  const tools = result?.tools as { name: string }[];
  return tools.map(({ name }) => name);
}

// A tool that fails takes a second to do so, hence all revisions at once.
describe.concurrent.each(sessionRevisions)('%s', (revision) => {
  const client = share(() => startSession(revision, ableClient, structured));

  it('lists and calls every tool', async () => {
    expect(namesOf(await client().request('tools/list'))).toEqual(expect.arrayContaining(names));
    const calls = cases.map(async ([name, toolCase]) => {
      const response = await client().request('tools/call', { name, arguments: toolCase.arguments ?? {} });
      expect(response, name).toMatchObject(toolCase.outcome(revision));
    });
    await Promise.all(calls);
  });

  it('describes a tool with the fields of the revision', async () => {
    const { result } = await client().request('tools/list');
    const tools = result?.tools as Json[];
    expect(tools.every((tool) => 'title' in tool)).toBe(revision >= '2025-06-18');
    expect(tools.every((tool) => 'annotations' in tool)).toBe(revision >= '2025-03-26');
    expect(tools.some((tool) => 'outputSchema' in tool)).toBe(revision >= '2025-06-18');
    const outputs = tools.flatMap((tool) => (tool.outputSchema ? [tool.outputSchema as Json] : []));
    expect(outputs.every(({ type }) => type === 'object')).toBe(true);
  });
});

describe.concurrent(statelessRevision, () => {
  const client = share(() => startClient(structured));

  it('lists and calls every tool', async () => {
    expect(namesOf(await client().request('tools/list', wrap()))).toEqual(expect.arrayContaining(names));
    const calls = cases.map(async ([name, toolCase]) => {
      const response = await followCall(client(), name, toolCase.arguments ?? {}, patientClient);
      expect(response, name).toMatchObject(toolCase.outcome(statelessRevision));
    });
    await Promise.all(calls);
  });
});
