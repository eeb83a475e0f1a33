// Functions of a JavaScript or TypeScript file that can be tools: exported, with a comment, and every parameter typed, by
// annotations or in the comment.
import type { Node } from 'web-tree-sitter';
import type { JsonSchema } from '../../../core/schema.ts';
import { type FunctionDoc, readJsdoc } from './doc-text.ts';
import type { FoundFunction } from './scan-functions.ts';
import { childrenOf, readLiteral, withTree } from './syntax.ts';
import { type NamedTypes, readType } from './type-text.ts';

const functions = new Set(['function_declaration', 'arrow_function', 'function_expression', 'function']);

export async function findScriptFunctions(
  text: string,
  grammar: 'javascript' | 'typescript',
): Promise<FoundFunction[]> {
  const found = await withTree(text, grammar, (root) => {
    const top = childrenOf(root);
    const types = readTypes(top);
    const exported = new Set(
      [...text.matchAll(/\bmodule\.exports\s*=\s*\{([^{}]*)\}/g)].flatMap(([, names = '']) => names.split(/[\s,]+/)),
    );
    return top.flatMap((node) => {
      const isExport = node.type === 'export_statement';
      const inner = isExport ? node.childForFieldName('declaration') : node;
      return listDeclared(inner)
        .filter(({ name }) => isExport || exported.has(name))
        .flatMap(({ name, value }) => readFunction(name, value, node, types));
    });
  });
  return found ?? [];
}

function listDeclared(node: Node | null): { name: string; value: Node }[] {
  if (!node) return [];
  const pairs = node.type === 'lexical_declaration' ? childrenOf(node) : [node];
  return pairs.flatMap((pair) => {
    const value = pair.type === 'variable_declarator' ? pair.childForFieldName('value') : pair;
    const name = pair.childForFieldName('name')?.text;
    return name !== undefined && value && functions.has(value.type) ? [{ name, value }] : [];
  });
}

function readFunction(name: string, node: Node, statement: Node, types: NamedTypes): FoundFunction[] {
  const comment = statement.previousNamedSibling;
  const isDoc = comment?.type === 'comment' && comment.text.startsWith('/**');
  const doc = isDoc ? readJsdoc(comment.text) : undefined;
  if (!doc || doc.summary === '') return [];
  const parameters = childrenOf(node.childForFieldName('parameters')).filter(({ type }) => type !== 'comment');
  const named = Object.keys(doc.parameters).filter((one) => !one.includes('.'));
  const read = parameters.map((parameter, at) => readParameter(parameter, named[at], doc, types));
  if (read.some((one) => one === undefined)) return [];
  return [{ name, summary: doc.summary, description: doc.description, parameters: read.flatMap((one) => one ?? []) }];
}

/** Undefined if it has no type that JSON can express. */
function readParameter(
  node: Node,
  documented: string | undefined,
  { parameters }: FunctionDoc,
  types: NamedTypes,
): FoundFunction['parameters'][0] | undefined {
  const pattern = node.childForFieldName('pattern') ?? node.childForFieldName('left') ?? node;
  const given = (node.childForFieldName('value') ?? node.childForFieldName('right'))?.text;
  if (pattern.text.startsWith('...')) return undefined;
  // A parameter that is taken apart has no name of its own.
  const name = pattern.type === 'identifier' ? pattern.text : (documented ?? 'options');
  const doc = parameters[name];
  const annotation = node.childForFieldName('type')?.text.replace(/^:\s*/, '');
  const written = annotation ?? doc?.type;
  const schema =
    written === undefined ? undefined : (readType(written, types) ?? readProperties(name, written, parameters));
  if (!schema) return undefined;
  const value = given === undefined ? doc?.default : given;
  const literal = value === undefined ? undefined : readLiteral(value);
  return {
    name,
    isRequired: given === undefined && node.type !== 'optional_parameter' && doc?.isOptional !== true,
    schema: {
      ...withProperties(schema, name, parameters),
      ...(doc && doc.description !== '' && { description: doc.description.slice(0, 300) }),
      ...(literal !== undefined && literal !== null && { default: literal }),
    },
  };
}

function readProperties(name: string, type: string, parameters: FunctionDoc['parameters']): JsonSchema | undefined {
  return /^object$/i.test(type.trim()) ? withProperties({ type: 'object' }, name, parameters) : undefined;
}

/** `@param {string} options.name` describes a property. */
function withProperties(schema: JsonSchema, name: string, parameters: FunctionDoc['parameters']): JsonSchema {
  const own = Object.entries(parameters).filter(([path]) => path.startsWith(`${name}.`));
  if (own.length === 0 || (schema as { type?: unknown }).type !== 'object') return schema;
  const known = (schema as { properties?: Record<string, JsonSchema> }).properties ?? {};
  const read = own.map(([path, { type = '', description, isOptional }]) => {
    const key = path.slice(name.length + 1);
    return { key, isOptional, schema: { ...(known[key] ?? readType(type) ?? {}), description } };
  });
  const properties = { ...known, ...Object.fromEntries(read.map((one) => [one.key, one.schema])) };
  const required = read.filter((one) => !one.isOptional && !Object.hasOwn(known, one.key)).map(({ key }) => key);
  return { ...schema, properties, ...(required.length > 0 && { required }) };
}

/** Interfaces, types and enums of the file, one level deep. */
function readTypes(top: readonly Node[]): NamedTypes {
  const declared = new Map(
    top
      .map((node) => (node.type === 'export_statement' ? node.childForFieldName('declaration') : node))
      .filter((node) => node && /^(?:interface|type_alias)_declaration$/.test(node.type))
      .map((node) => [node?.childForFieldName('name')?.text ?? '', node as Node]),
  );
  return (name) => {
    const node = declared.get(name);
    const text = (node?.childForFieldName('body') ?? node?.childForFieldName('value'))?.text;
    return text === undefined ? undefined : readType(text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ''));
  };
}
