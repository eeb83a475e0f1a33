// Functions of a Python file that can be tools: public, at the top level, with a docstring, and every parameter typed.
import type { Node } from 'web-tree-sitter';
import type { JsonSchema } from '../../../core/schema.ts';
import { type FunctionDoc, readDocstring } from './doc-text.ts';
import type { FoundFunction } from './scan-functions.ts';
import { childrenOf, readLiteral, withTree } from './syntax.ts';
import { type NamedTypes, readType } from './type-text.ts';

export async function findPythonFunctions(text: string): Promise<FoundFunction[]> {
  const found = await withTree(text, 'python', (root) => {
    const top = childrenOf(root);
    const types = readClasses(top);
    return top.filter(({ type }) => type === 'function_definition').flatMap((node) => readFunction(node, types));
  });
  return found ?? [];
}

function readFunction(node: Node, types: NamedTypes): FoundFunction[] {
  const name = node.childForFieldName('name')?.text ?? '_';
  const doc = readDoc(node);
  if (name.startsWith('_') || !doc || doc.summary === '') return [];
  const parameters = childrenOf(node.childForFieldName('parameters'));
  const read = parameters
    .filter(({ type }) => type !== 'comment' && type !== 'keyword_separator')
    .map((parameter) => readParameter(parameter, doc, types));
  if (read.some((one) => one === undefined)) return [];
  return [{ name, summary: doc.summary, description: doc.description, parameters: read.flatMap((one) => one ?? []) }];
}

function readDoc(node: Node): FunctionDoc | undefined {
  const [first] = childrenOf(node.childForFieldName('body'));
  const text = first?.type === 'expression_statement' ? childrenOf(first)[0] : undefined;
  if (text?.type !== 'string') return undefined;
  return readDocstring(text.text.replace(/^[rRuU]*("""|'''|"|')([\s\S]*)\1$/, '$2'));
}

/** Undefined if it has no type that JSON can express. */
function readParameter(
  node: Node,
  { parameters }: FunctionDoc,
  types: NamedTypes,
): FoundFunction['parameters'][0] | undefined {
  const name = node.childForFieldName('name')?.text ?? (/^\w+/.exec(node.text)?.[0] as string);
  const isNamed = ['identifier', 'typed_parameter', 'default_parameter', 'typed_default_parameter'].includes(node.type);
  if (!isNamed || node.text.startsWith('*') || name === undefined) return undefined;
  const doc = parameters[name];
  const given = node.childForFieldName('value')?.text;
  const written = node.childForFieldName('type')?.text ?? doc?.type;
  const schema = written === undefined ? undefined : readType(written.replace(/^["']|["']$/g, ''), types);
  if (!schema) return undefined;
  const value = given === undefined ? undefined : readLiteral(given);
  return {
    name,
    isRequired: given === undefined,
    schema: {
      ...schema,
      ...(doc && doc.description !== '' && { description: doc.description.slice(0, 300) }),
      ...(value !== undefined && value !== null && { default: value }),
    },
  };
}

/** Enums, data classes and typed dictionaries of the file, one level deep. */
function readClasses(top: readonly Node[]): NamedTypes {
  const classes = new Map(
    top
      .map((node) => (node.type === 'decorated_definition' ? node.childForFieldName('definition') : node))
      .filter((node) => node?.type === 'class_definition')
      .map((node) => [node?.childForFieldName('name')?.text, node as Node]),
  );
  const aliases = new Map(
    top.flatMap((node) => {
      const [, name, type] =
        /^(\w+)\s*(?::\s*TypeAlias\s*)?=\s*((?:Literal|Union|Optional|list|dict)\[[\s\S]+\])$/.exec(node.text) ?? [];
      return name === undefined ? [] : [[name, type as string] as const];
    }),
  );
  return (name) => {
    const alias = aliases.get(name);
    if (alias !== undefined) return readType(alias);
    const node = classes.get(name);
    return node && readClass(node);
  };
}

function readClass(node: Node): JsonSchema | undefined {
  const parents = node.childForFieldName('superclasses')?.text ?? '';
  const isData = /@(?:dataclasses\.)?dataclass\b/.test(node.parent?.text.slice(0, 200) ?? '');
  const body = childrenOf(node.childForFieldName('body')).flatMap((child) => childrenOf(child));
  if (/\b\w*Enum\b/.test(parents)) {
    const values = body.map((entry) => readLiteral(entry.childForFieldName('right')?.text ?? ''));
    return values.length > 0 && values.every((value) => value !== undefined) ? { enum: values } : undefined;
  }
  if (!isData && !/TypedDict/.test(parents)) return undefined;
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const entry of body.filter(({ type }) => type === 'assignment')) {
    const [name = '', type = ''] = [entry.childForFieldName('left')?.text, entry.childForFieldName('type')?.text];
    const schema = readType(type);
    if (!schema) return undefined;
    properties[name] = schema;
    if (!entry.childForFieldName('right') && !/total\s*=\s*False/.test(parents)) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false };
}
