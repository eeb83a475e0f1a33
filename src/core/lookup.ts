// Reading resources, prompts and completions through the registry, by the address or name a client gives.
import type { Soon } from './attempt.ts';
import type { Call } from './call.ts';
import type { PromptMessage, ResourceContents } from './content.ts';
import { LoreError } from './error.ts';
import type { Registry } from './registry.ts';
import type { Completer, Prompt, ResourceTemplate } from './service.ts';

export function readResource(registry: Registry, uri: string, call: Call): Soon<ResourceContents[]> {
  return registry.run(uri, call, () => {
    const resource = registry.resources().find((entry) => entry.uri === uri);
    if (resource) return resource.read(call);
    for (const template of registry.templates()) {
      const values = matchTemplate(template.uriTemplate, uri);
      if (values) return template.read(values, uri, call);
    }
    throw new LoreError('not_found', `Cannot read "${uri}": there is no such resource`, { details: { uri } });
  });
}

export function findPrompt(registry: Registry, name: string): Prompt {
  const prompt = registry.prompts().find((entry) => entry.name === name);
  if (prompt) return prompt;
  throw new LoreError('invalid_input', `Cannot find prompt "${name}": it does not exist`, { details: { name } });
}

export function getPrompt(
  registry: Registry,
  prompt: Prompt,
  args: Record<string, string>,
  call: Call,
): Soon<PromptMessage[]> {
  return registry.run(prompt.name, call, () => {
    const missing = prompt.arguments?.find(({ name, required }) => required && args[name] === undefined);
    if (missing) {
      const details = { path: `arguments.${missing.name}`, expected: 'string', received: 'nothing' };
      throw new LoreError('invalid_input', `Cannot get prompt "${prompt.name}": ${details.path} is missing`, {
        details,
      });
    }
    return prompt.get(args, call);
  });
}

export function findTemplate(registry: Registry, uriTemplate: string): ResourceTemplate {
  const template = registry.templates().find((entry) => entry.uriTemplate === uriTemplate);
  if (template) return template;
  throw new LoreError('invalid_input', `Cannot find template "${uriTemplate}": it does not exist`);
}

export function completerOf(source: Prompt | ResourceTemplate, argument: string): Completer | undefined {
  if ('uriTemplate' in source) {
    return source.complete && Object.hasOwn(source.complete, argument) ? source.complete[argument] : undefined;
  }
  return source.arguments?.find(({ name }) => name === argument)?.complete;
}

const patterns = new Map<string, RegExp>();

function patternOf(uriTemplate: string): RegExp {
  let pattern = patterns.get(uriTemplate);
  if (!pattern) {
    const source = uriTemplate
      .split(/(\{\+?\w+\})/)
      .map((part) => {
        const name = /^\{(\+?)(\w+)\}$/.exec(part);
        if (!name) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
        return `(?<${name[2]}>${name[1] ? '.+' : '[^/]+'})`;
      })
      .join('');
    pattern = new RegExp(`^${source}$`, 's');
    patterns.set(uriTemplate, pattern);
  }
  return pattern;
}

function matchTemplate(uriTemplate: string, uri: string): Record<string, string> | undefined {
  const groups = patternOf(uriTemplate).exec(uri)?.groups;
  if (!groups) return undefined;
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined;
  }
}
