// Every tool of the fixture, how to call it and what comes of it in each revision, when the client answers all it is asked.
import type { Json } from '../../support/stdio-client.ts';
import { pixelPng, silenceWav } from '../fixture/samples.ts';
import { type Revision, statelessRevision } from './conversation.ts';

interface ToolCase {
  arguments?: Json;
  /** Members that the response has, besides others. */
  outcome(revision: Revision): { result: Json } | { error: Json };
}

function says(text: string, args?: Json): ToolCase {
  return has([{ type: 'text', text }], args);
}

function has(content: Json[], args?: Json): ToolCase {
  return { ...(args ? { arguments: args } : {}), outcome: () => ({ result: { content } }) };
}

function fails(code: string, text: string): ToolCase {
  const structuredContent = { success: false, error: { code, message: text } };
  return { outcome: () => ({ result: { isError: true, content: [{ type: 'text', text }], structuredContent } }) };
}

const image = { type: 'image', data: pixelPng, mimeType: 'image/png' };
const audio = { type: 'audio', data: silenceWav, mimeType: 'audio/wav' };
const link = { type: 'resource_link', uri: 'test://static-text', name: 'static_text', mimeType: 'text/plain' };
const contact = { name: 'Ann', contactMethod: 'email', email: 'ann@example.com' };

const choices = {
  untitledSingle: 'option1',
  titledSingle: 'value1',
  legacyEnum: 'opt1',
  untitledMulti: ['option1'],
  titledMulti: ['value1'],
};

const defaults = { name: 'John Doe', age: 30, score: 95.5, status: 'active', verified: true };

function accepted(content: Json): string {
  return `action=accept, content=${JSON.stringify(content)}`;
}

const contentCases: Record<string, ToolCase> = {
  test_simple_text: says('This is a simple text response for testing.'),
  test_image_content: has([image]),
  test_audio_content: {
    outcome: (revision) => ({
      result: { content: [revision < '2025-03-26' ? { type: 'text', text: '[audio, audio/wav]' } : audio] },
    }),
  },
  test_embedded_resource: has([
    {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    },
  ]),
  test_resource_link: {
    outcome(revision) {
      const described = 'Static text: test://static-text (A text that never changes)';
      return { result: { content: [revision < '2025-06-18' ? { type: 'text', text: described } : link] } };
    },
  },
  test_multiple_content_types: has([
    { type: 'text', text: 'Multiple content types test:' },
    image,
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: '{"test":"data","value":123}',
      },
    },
  ]),
  test_error_handling: fails('conflict', 'This tool intentionally returns an error for testing'),
  test_structured_object: {
    arguments: { word: 'lore' },
    outcome: (revision) => ({
      result: {
        content: [{ type: 'text', text: 'lore has 4 letters' }],
        ...(revision < '2025-06-18' ? {} : { structuredContent: { word: 'lore', length: 4 } }),
      },
    }),
  },
  test_structured_list: {
    outcome(revision) {
      const content = [{ type: 'text', text: JSON.stringify(['one', 'two'], null, 2) }];
      if (revision < '2025-06-18') return { result: { content } };
      const whole = revision === statelessRevision;
      return { result: { content, structuredContent: whole ? ['one', 'two'] : { result: ['one', 'two'] } } };
    },
  },
  json_schema_2020_12_tool: says(`Called with ${JSON.stringify(contact)}`, contact),
  test_routed_by_header: says('Called with {"region":"north"}', { region: 'north' }),
};

const reportingCases: Record<string, ToolCase> = {
  test_tool_with_logging: says('Tool with logging executed successfully'),
  test_logging_tool: says('Logging evaluated'),
  test_tool_with_progress: says('Tool with progress executed successfully'),
  test_reconnection: says('Reconnection test completed successfully'),
};

const askingCases: Record<string, ToolCase> = {
  test_sampling: says('LLM response: Paris', { prompt: 'What is the capital of France?' }),
  test_elicitation: says(`User response: ${accepted({ username: 'Alice', email: 'Alice' })}`, { message: 'Who?' }),
  test_elicitation_sep1034_defaults: says(`Elicitation completed: ${accepted(defaults)}`),
  test_elicitation_sep1330_enums: says(`Elicitation completed: ${accepted(choices)}`),
  test_streaming_elicitation: says(`Streaming complete: ${accepted({ ok: true })}`),
  test_missing_capability: says('Success: Paris'),
  test_input_required_result_elicitation: says('Hello, Alice!'),
  test_input_required_result_sampling: says('Sampling result: Paris'),
  test_input_required_result_list_roots: says('Found 1 root(s)'),
  test_input_required_result_request_state: says('state-ok'),
  test_input_required_result_multiple_inputs: says('Name: Alice; Greeting: Paris; Roots: 1'),
  test_input_required_result_multi_round: says('Alice likes Alice'),
  test_input_required_result_tampered_state: says('integrity-ok'),
  test_input_required_result_capabilities: says('capabilities-ok: elicit_input, sample_input'),
};

const backgroundCases: Record<string, ToolCase> = {
  greet: says('Hello, World!', { name: 'World' }),
  slow_compute: says('sum computed in 0 s', { seconds: 0, label: 'sum' }),
  failing_job: fails('conflict', 'Cannot finish the job: it always fails'),
  protocol_error_job: {
    outcome: (revision) => ({
      error: {
        code: revision === statelessRevision ? -32603 : -32001,
        message: 'Cannot run the job: what it needs is not there',
      },
    }),
  },
  confirm_delete: says('Deleted notes.txt', { filename: 'notes.txt' }),
  multi_input: says('Answered: first, second'),
  test_tool_with_task: says('Hello from the task, Alice!'),
};

const changeCases: Record<string, ToolCase> = {
  test_trigger_tool_change: says('Changed'),
  test_trigger_prompt_change: says('Changed'),
  test_trigger_resource_change: says('Changed'),
  test_trigger_resource_update: says('Changed'),
};

export const toolCases = { ...contentCases, ...reportingCases, ...askingCases, ...backgroundCases, ...changeCases };
