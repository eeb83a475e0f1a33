// The official clients against the production server with the fixture: whatever a client library offers its users works.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pixelPng, silenceWav } from '../conformance/fixture/samples.ts';
import { bundle } from '../support/bundle.ts';
import { createFolder } from '../support/folder.ts';
import { type ServerProcess, startServer } from '../support/start-server.ts';
import type { Json, TestClient } from './client.ts';
import { connections, type Target } from './connections.ts';

const entry = 'test/conformance/fixture/main.ts';
const settings = { LORE_PAGE_SIZE: '7', LORE_STRUCTURED: '1' };
const watched = 'test://watched-resource';

let server: ServerProcess;
let target: Target;

beforeAll(async () => {
  server = await startServer(entry, 'http', { ...settings, LORE_PORT: '0' });
  const [url] = (await once(createInterface({ input: server.child.stdout }), 'line')) as [string];
  const path = await bundle(entry, { format: 'esm', packages: 'external' });
  const home = createFolder('differential');
  const env = { ...settings, PATH: process.env.PATH ?? '', HOME: home, LORE_CONFIG: `${home}/config.json` };
  target = { command: process.execPath, args: [path, 'stdio'], env, url };
});

afterAll(() => server.stop());

function textOf({ content }: Json): unknown {
  return (content as Json[])[0]?.text;
}

describe.each(connections)('$name', ({ connect, revision, stateless, notFound }) => {
  let client: TestClient;
  beforeAll(async () => {
    client = await connect(target);
  });
  afterAll(() => client.close());

  it('connects', async () => {
    expect(client.revision).toBe(revision);
    expect(client.serverName).toBe('lorekeeper');
    await expect(client.greet()).resolves.toBeTypeOf('object');
  });

  it('lists tools page by page, in order and without repetition', async () => {
    const names: string[] = [];
    for (let cursor: string | undefined; names.length === 0 || cursor !== undefined; ) {
      const page = await client.listTools(cursor);
      const tools = page.tools as Json[];
      // The second client gathers all pages by itself unless it is given a cursor.
      names.push(...tools.map(({ name }) => name as string));
      cursor = page.nextCursor as string | undefined;
    }
    expect(names.length).toBeGreaterThan(30);
    expect(names).toEqual([...new Set(names)].sort());
    await expect(client.listTools('made up')).rejects.toMatchObject({ code: -32602 });
  });

  it('lists resources, templates and prompts', async () => {
    expect(((await client.listResources()).resources as Json[]).map(({ uri }) => uri)).toContain(watched);
    expect(
      ((await client.listTemplates()).resourceTemplates as Json[]).map(({ uriTemplate }) => uriTemplate),
    ).toContain('test://template/{id}/data');
    expect(((await client.listPrompts()).prompts as Json[]).map(({ name }) => name)).toContain('test_simple_prompt');
  });

  it('gets every type of content', async () => {
    const contentOf = async (name: string) => (await client.callTool(name)).content;
    expect(await contentOf('test_simple_text')).toMatchObject([{ type: 'text' }]);
    expect(await contentOf('test_image_content')).toMatchObject([
      { type: 'image', data: pixelPng, mimeType: 'image/png' },
    ]);
    expect(await contentOf('test_audio_content')).toMatchObject([
      { type: 'audio', data: silenceWav, mimeType: 'audio/wav' },
    ]);
    expect(await contentOf('test_embedded_resource')).toMatchObject([{ type: 'resource' }]);
    expect(await contentOf('test_resource_link')).toMatchObject([{ type: 'resource_link', uri: 'test://static-text' }]);
    expect(await contentOf('test_multiple_content_types')).toHaveLength(3);
  });

  it('receives structured results that pass its validation', async () => {
    await client.listTools();
    const { structuredContent } = await client.callTool('test_structured_object', { word: 'lore' });
    expect(structuredContent).toEqual({ word: 'lore', length: 4 });
    const list = await client.callTool('test_structured_list');
    expect(list.structuredContent).toEqual(stateless ? ['one', 'two'] : { result: ['one', 'two'] });
  });

  it('gets failures as results', async () => {
    const failure = await client.callTool('test_error_handling');
    expect(failure).toMatchObject({ isError: true, structuredContent: { error: { code: 'conflict' } } });
    // The tool has an output schema, which this result does not come from.
    const mistake = await client.callTool('test_structured_object', { word: 7 });
    expect(mistake).toMatchObject({ isError: true, structuredContent: { error: { code: 'invalid_input' } } });
    expect(textOf(mistake)).toContain('arguments.word should be string, got number');
    const thirdOne = await client.callTool('test_structured_list', { nonsense: true });
    expect(thirdOne).toMatchObject({ isError: true });
  });

  it('gets errors with their codes', async () => {
    await expect(client.callTool('nothing')).rejects.toMatchObject({ code: -32602 });
    await expect(client.readResource('test://nowhere')).rejects.toMatchObject({ code: notFound });
    await expect(client.getPrompt('nothing')).rejects.toMatchObject({ code: -32602 });
    await expect(client.getPrompt('test_prompt_with_arguments')).rejects.toMatchObject({ code: -32602 });
  });

  it('reads resources, gets prompts and completions', async () => {
    const { contents } = await client.readResource('test://template/123/data');
    expect(contents).toMatchObject([{ uri: 'test://template/123/data', mimeType: 'application/json' }]);
    const { messages } = await client.getPrompt('test_prompt_with_arguments', { arg1: 'hello', arg2: 'world' });
    expect(messages).toMatchObject([{ content: { text: "Prompt with arguments: arg1='hello', arg2='world'" } }]);
    const ref = { type: 'ref/prompt', name: 'test_prompt_with_arguments' };
    const { completion } = await client.complete({ ref, argument: { name: 'arg1', value: 'par' } });
    expect(completion).toMatchObject({ values: ['paris', 'park', 'party'], hasMore: false });
    const context = { arguments: { arg1: 'a' } };
    const second = await client.complete({ ref, argument: { name: 'arg2', value: 'b' }, context });
    expect(second.completion).toMatchObject({ values: ['ab'] });
  });

  it('receives log messages and progress of a call', async () => {
    await client.setLogLevel('info');
    const meta = stateless ? { meta: { 'io.modelcontextprotocol/logLevel': 'info' } } : {};
    await client.callTool('test_tool_with_logging', {}, meta);
    const logged = () => client.heard.filter(({ method }) => method === 'notifications/message');
    await expect
      .poll(() => logged().map(({ params }) => params?.data))
      .toEqual(['Tool execution started', 'Tool processing data', 'Tool execution completed']);
    // Both clients lose reports that arrive together with the result, with the official servers too: the last one always, the
    // others on a busy machine.
    const hearSteps = async () => {
      const steps: Json[] = [];
      await client.callTool('test_tool_with_progress', {}, { onProgress: (progress) => steps.push(progress) });
      return steps.slice(0, 2);
    };
    await expect
      .poll(hearSteps)
      .toMatchObject([{ progress: 0 }, { progress: 50, total: 100, message: 'Completed step 50 of 100' }]);
  });

  it('answers questions', async () => {
    expect(textOf(await client.callTool('test_elicitation', { message: 'Who?' }))).toContain('action=accept');
    expect(textOf(await client.callTool('test_sampling', { prompt: 'Capital?' }))).toBe('LLM response: Paris');
    expect(textOf(await client.callTool('test_input_required_result_list_roots'))).toBe('Found 1 root(s)');
    expect(textOf(await client.callTool('test_input_required_result_multiple_inputs'))).toContain('Name: Ada');
    expect(textOf(await client.callTool('test_input_required_result_multi_round'))).toContain('Ada likes');
    expect(textOf(await client.callTool('test_elicitation_sep1034_defaults'))).toContain('Elicitation completed');
  });

  it('receives notifications of changes', async () => {
    await client.follow(watched);
    const count = (method: string) => client.heard.filter((message) => message.method === method).length;
    await client.callTool('test_trigger_tool_change');
    await expect.poll(() => count('notifications/tools/list_changed')).toBeGreaterThan(0);
    await client.callTool('test_trigger_resource_update');
    await expect.poll(() => count('notifications/resources/updated')).toBeGreaterThan(0);
    await client.callTool('test_trigger_tool_change');
    await expect.poll(() => count('notifications/tools/list_changed')).toBeGreaterThan(1);
  });

  it('cancels a call and continues', async () => {
    const controller = new AbortController();
    const running = client.callTool('slow_compute', { seconds: 60 }, { signal: controller.signal });
    // Over HTTP a cancellation takes another connection: it must not overtake what it cancels.
    await client.callTool('test_tool_with_progress');
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow();
    expect(textOf(await client.callTool('greet', { name: 'Ada' }))).toBe('Hello, Ada!');
  });
});

it('a cancelled call is cancelled in the server', async () => {
  const overHttp = connections.filter(({ name }) => !name.endsWith('stdio')).length;
  const cancelled = () => server.log().match(/"what":"slow_compute"[^\n]*"outcome":"cancelled"/g)?.length;
  await expect.poll(cancelled).toBe(overHttp);
});
