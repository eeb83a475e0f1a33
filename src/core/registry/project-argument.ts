// The argument `project`, which every tool that works in a project accepts: the tool then runs as if its caller worked there.
import { type Call, callAs } from '../call.ts';
import * as s from '../schema.ts';
import type { Service } from '../service.ts';
import type { Tool } from '../tool.ts';

const argument = s.string({ description: 'Another project' });

export function acceptProject(tool: Tool, visit: NonNullable<Service['visit']>): Tool {
  const { properties = {} } = tool.input.json as { properties?: object };
  // Tools of a person and of pages work where these are.
  if (tool.scope !== undefined || 'project' in properties) return tool;
  // Accepted but not listed beside another argument for the same, because every word costs tokens.
  const isListed = !('project_path' in properties || 'repo' in properties);
  return {
    ...tool,
    input: {
      ...tool.input,
      json: isListed ? { ...tool.input.json, properties: { ...properties, project: argument.json } } : tool.input.json,
      read(value, path, issues) {
        if (!s.isObject(value) || value.project === undefined) return tool.input.read(value, path, issues);
        const { project, ...rest } = value;
        return new InProject(argument.read(project, `${path}.project`, issues), tool.input.read(rest, path, issues));
      },
    },
    run: (args, call) =>
      args instanceof InProject
        ? enter(args, call).then((inside) => tool.run(args.rest, inside))
        : tool.run(args, call),
  };

  async function enter({ project }: InProject, call: Call): Promise<Call> {
    return callAs(call, await visit(call.caller, project, tool.effect));
  }
}

/** Arguments with a project. */
class InProject {
  readonly project: string;
  readonly rest: unknown;
  constructor(project: string, rest: unknown) {
    this.project = project;
    this.rest = rest;
  }
}
