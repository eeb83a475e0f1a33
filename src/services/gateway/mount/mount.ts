// A mount: an MCP server that the user put behind this one. It is described by the user alone; what the server says about itself
// is stored apart.
import type { ServerFacts } from '../../../client/handshake.ts';
import type { UpstreamTool } from '../trust/definition.ts';
import type { PackageFacts } from '../trust/package.ts';

/** Which tools there are, and what their arguments are. */
export interface ToolRules {
  /** Patterns of tool names; `*` stands for any text. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Arguments of all tools that have them: used if a call does not give them, or always. */
  readonly defaults?: { readonly [argument: string]: unknown };
  readonly locked?: { readonly [argument: string]: unknown };
}

export interface Mount extends ToolRules {
  readonly name: string;
  /** Started by us, without a shell. */
  readonly command?: MountCommand;
  /** Or reached over HTTP. */
  readonly url?: string;
  /** Names of HTTP headers whose values are credentials. */
  readonly headers?: readonly string[];
  /** Further rules for callers in a project, by the real path of its folder. */
  readonly profiles?: { readonly [folder: string]: ToolRules };
  readonly addedAt: number;
  /** A server that was started earlier is stopped. */
  readonly restartedAt?: number;
}

export interface MountCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** The working directory; by default the user's home. */
  readonly folder?: string;
  /** Names of environment variables whose values are credentials. */
  readonly env?: readonly string[];
}

/** What a server said about itself when it was last asked. */
export interface ServerListing {
  readonly server: ServerFacts;
  readonly tools: readonly UpstreamTool[];
  readonly resources: readonly { readonly [key: string]: unknown }[];
  readonly resourceTemplates: readonly { readonly [key: string]: unknown }[];
  readonly prompts: readonly { readonly [key: string]: unknown }[];
  /** The npm package that the command runs, if it is one. */
  readonly package?: PackageFacts;
  readonly at: number;
}

/** Where its calls go: the command, or the origin. */
export function originOf({ command, url = '' }: Mount): string {
  return command ? [command.program, ...command.args].join(' ') : new URL(url).origin;
}

/** What an approval is for: another command, address or name is another server, and so is another version of its package. */
export function identityOf({ command, url }: Mount, { server, package: installed }: ServerListing): string {
  const whole = [command ? [command.program, ...command.args] : url, server.name];
  if (!installed) return JSON.stringify(whole);
  const { name, version, integrity = '' } = installed;
  return JSON.stringify([...whole, [name, version, integrity]]);
}

/** The program without its arguments: the first word that names a package or a script. */
export function productOf(mount: Mount): string {
  const { command } = mount;
  return command ? `${command.program} ${command.args.find((word) => !word.startsWith('-')) ?? ''}` : originOf(mount);
}

export function isIncluded({ include, exclude = [] }: ToolRules, tool: string): boolean {
  const fits = (pattern: string) => matches(pattern, tool);
  return (include === undefined || include.some(fits)) && !exclude.some(fits);
}

function matches(pattern: string, name: string): boolean {
  const parts = pattern.split('*');
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return pattern === name;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}
