// Arguments under which each tool and prompt does its work, and quickly; those not named here take none.

const toolArguments: Record<string, object> = {
  confirm_delete: { filename: 'a.txt' },
  greet: { name: 'Ada' },
  index_repository: { include: ['package.json'] },
  json_schema_2020_12_tool: { name: 'Ada', contactMethod: 'email', email: 'ada@example.org' },
  slow_compute: { seconds: 0.01, label: 'sum' },
  test_elicitation: { message: 'Who are you?' },
  test_routed_by_header: { region: 'eu', options: { priority: 1 } },
  test_sampling: { prompt: 'What is the capital of France?' },
  test_structured_object: { word: 'lore' },
};

const promptArguments: Record<string, object> = {
  test_prompt_with_arguments: { arg1: 'hello', arg2: 'world' },
  test_prompt_with_embedded_resource: { resourceUri: 'test://embedded' },
};

export function argumentsOfTool(name: string): object {
  return toolArguments[name] ?? {};
}

export function argumentsOfPrompt(name: string): object {
  return promptArguments[name] ?? {};
}
