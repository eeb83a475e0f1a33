// The tools of a mount as a search sees them. A tool in quarantine has a name and a note, but none of its server's words.
import { hashHex } from '../../core/crypto.ts';
import { LoreError } from '../../core/error.ts';
import { isObject, type JsonSchema } from '../../core/schema.ts';
import { type ProvidedTool, toolNameOf } from '../../core/tool-provider.ts';
import type { Lesson } from './learn/lessons.ts';
import { identityOf, isIncluded, type ToolRules } from './mount/mount.ts';
import type { MountState } from './mount/store.ts';
import { describeQuarantine, judgeTools, type TrustState } from './trust/approvals.ts';
import type { UpstreamTool } from './trust/definition.ts';
import { effectOf } from './trust/effect.ts';

export interface MountedTool {
  readonly provided: ProvidedTool;
  readonly tool: UpstreamTool;
  readonly trust: TrustState;
  /** Its arguments, without those that the user locked. */
  readonly schema: JsonSchema;
}

const longestName = 55;
const longest = { summary: 200, description: 600 };
const mostArguments = 12;

/** A state is the same object until it changes. */
const catalogs = new WeakMap<MountState, readonly MountedTool[]>();

export function catalogOf(state: MountState): readonly MountedTool[] {
  const known = catalogs.get(state);
  if (known) return known;
  const { mount, listing, approvals, narrowed = [] } = state;
  const all = listing?.tools ?? [];
  const tools = all.filter(({ name }) => [mount, ...narrowed].every((rules) => isIncluded(rules, name)));
  const trust = listing ? judgeTools(listing.tools, approvals, identityOf(mount, listing)) : new Map();
  const names = nameTools(mount.name, all);
  const catalog = tools.map((tool): MountedTool => {
    const schema = describeArguments(mount, tool);
    const judged = trust.get(tool.name) as TrustState;
    return { provided: provide(state, names.get(tool) as string, tool, judged, schema), tool, trust: judged, schema };
  });
  catalogs.set(state, catalog);
  return catalog;
}

export function requireApproval({ mount }: MountState, { provided: { name }, trust }: MountedTool): void {
  if (trust === 'approved') return;
  throw new LoreError('forbidden', `Cannot run "${name}": ${describeQuarantine(trust)}`, {
    hint: `A person can review it: lore mount review ${mount.name}`,
  });
}

function provide(
  { mount, lessons = [] }: MountState,
  name: string,
  tool: UpstreamTool,
  trust: TrustState,
  schema: JsonSchema,
): ProvidedTool {
  const base = { name, source: mount.name, effect: effectOf(tool), key: tool.name };
  if (trust !== 'approved') {
    const note = `${describeQuarantine(trust)}; a person can review it: lore mount review ${mount.name}`;
    return {
      ...base,
      key: name,
      summary: 'Waits for a review',
      signature: '',
      description: '',
      words: '',
      returns: '',
      note,
    };
  }
  const description = oneLine(tool.description ?? '', longest.description);
  const properties = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const named = properties.map((argument) => `${argument}${required.has(argument) ? '*' : ''}`);
  const output =
    isObject(tool.outputSchema) && isObject(tool.outputSchema.properties) ? tool.outputSchema.properties : {};
  const shown = named.slice(0, mostArguments).join(', ');
  return {
    ...base,
    summary: description.slice(0, longest.summary) || oneLine(tool.title ?? '', longest.summary) || tool.name,
    signature: `(${shown}${named.length > mostArguments ? ', …' : ''})`,
    description: [tool.title ?? '', description].filter(Boolean).join('. '),
    words: properties.join(' '),
    returns: Object.keys(output).join(' '),
    ...noteOf(lessons, tool),
  };
}

/** What was learned of its arguments. */
function noteOf(lessons: readonly Lesson[], { name }: UpstreamTool): { note?: string } {
  const learned = lessons.filter(({ tool }) => tool === name).slice(0, 3);
  return learned.length === 0 ? {} : { note: `failed calls worked ${learned.map(({ text }) => text).join(', or ')}` };
}

function oneLine(text: string, most: number): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, most);
}

/** The same in every project. Names have few characters; two that would be equal get a part of a hash. */
function nameTools(source: string, tools: readonly UpstreamTool[]): Map<UpstreamTool, string> {
  const plain = tools.map(({ name }) =>
    name
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_'),
  );
  const named = tools.map((tool, at): [UpstreamTool, string] => {
    const name = toolNameOf(source, plain[at] as string);
    const isUnique = plain.indexOf(plain[at] as string) === plain.lastIndexOf(plain[at] as string);
    if (isUnique && name.length <= longestName) return [tool, name];
    return [tool, `${name.slice(0, longestName - 7)}_${hashHex(tool.name).slice(0, 6)}`];
  });
  return new Map(named);
}

/** An object, whatever the server sends. Arguments with a default of the user are optional, and locked ones are gone. */
export function describeArguments(
  { defaults = {}, locked = {} }: ToolRules,
  { inputSchema }: UpstreamTool,
): JsonSchema {
  const schema = isObject(inputSchema) ? inputSchema : {};
  const properties = isObject(schema.properties) ? schema.properties : {};
  const left = Object.entries(properties).filter(([name]) => !Object.hasOwn(locked, name));
  const described = left.map(([name, value]) => [
    name,
    Object.hasOwn(defaults, name) && isObject(value) ? { ...value, default: defaults[name] } : value,
  ]);
  const required = (Array.isArray(schema.required) ? schema.required : []).filter(
    (name) => typeof name === 'string' && !Object.hasOwn(locked, name) && !Object.hasOwn(defaults, name),
  );
  const { required: _, ...rest } = schema;
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(described),
    ...(required.length > 0 && { required }),
  };
}

/** The arguments as they are sent. */
export function completeArguments(
  { defaults, locked }: ToolRules,
  { inputSchema }: UpstreamTool,
  given: { readonly [name: string]: unknown },
): { readonly [name: string]: unknown } {
  if (!defaults && !locked) return given;
  const properties = isObject(inputSchema) && isObject(inputSchema.properties) ? inputSchema.properties : {};
  const ofTool = (values: object = {}) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(properties, name)));
  return { ...ofTool(defaults), ...given, ...ofTool(locked) };
}
