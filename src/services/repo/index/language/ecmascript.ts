// TypeScript and JavaScript, with and without JSX: one query, since the grammars differ in few words.
import { defineLanguage } from './language.ts';

const functions = '[(arrow_function) (function_expression) (generator_function)]';

/** Top-level declarations: by name, or destructured. */
const declared = `(variable_declarator name: [
  (identifier) @name
  (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (pair_pattern value: (identifier) @name)
    (rest_pattern (identifier) @name)
  ])
  (array_pattern (identifier) @name)
])`;

function findNames(place: string): string {
  return [
    `(lexical_declaration kind: "const" ${declared} @constant)`,
    `(lexical_declaration kind: "let" ${declared} @variable)`,
    `(variable_declaration ${declared} @variable)`,
  ]
    .map((one) => place.replace('$', one))
    .join('\n');
}

const shared = `
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(class_declaration name: (_) @name) @class
(class name: (_) @name) @class
(method_definition name: (_) @name) @method
(function_expression name: (_) @name) @function
(variable_declarator name: (identifier) @name value: ${functions}) @function
(assignment_expression left: (member_expression property: (_) @name) right: ${functions}) @function
(assignment_expression left: (identifier) @name right: ${functions}) @function
(pair key: (property_identifier) @name value: ${functions}) @method
${findNames('(program $)')}
${findNames('(program (export_statement $))')}

(import_statement source: (string (string_fragment) @import))
(import_statement
  (import_clause (named_imports (import_specifier name: (identifier) @imported !alias)))
  source: (string (string_fragment) @import))
(import_statement
  (import_clause (named_imports (import_specifier name: (identifier) @imported alias: (identifier) @alias)))
  source: (string (string_fragment) @import))
(import_statement (import_clause (identifier) @default) source: (string (string_fragment) @import))
(import_statement
  (import_clause (namespace_import (identifier) @alias))
  source: (string (string_fragment) @import))
(export_statement source: (string (string_fragment) @import))
(variable_declarator
  name: (identifier) @alias
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @import)))
  (#eq? @_require "require"))
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @imported)
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @import)))
  (#eq? @_require "require"))
(call_expression
  function: (identifier) @_require arguments: (arguments . (string (string_fragment) @import))
  (#eq? @_require "require"))
(call_expression function: (import) arguments: (arguments . (string (string_fragment) @import)))

(call_expression function: (identifier) @call)
(call_expression function: (member_expression object: (_) @object property: (property_identifier) @send))
(new_expression constructor: (identifier) @call)
`;

const types = `
(function_signature name: (_) @name) @function
(abstract_class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @enum
(enum_body name: (_) @name @constant)
(enum_assignment name: (_) @name) @constant
(internal_module name: (_) @name) @module
(module name: (_) @name) @module
(method_signature name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(public_field_definition name: (_) @name) @field
${findNames('(program (ambient_declaration $))')}
(extends_clause value: (identifier) @parent)
(implements_clause (type_identifier) @parent)
(extends_type_clause (type_identifier) @parent)
`;

const elements = `
(jsx_opening_element name: (identifier) @call)
(jsx_self_closing_element name: (identifier) @call)
`;

const basics = {
  lineComment: ['//'],
  docs: 'above',
  family: 'ecmascript',
  isExported: (_name: string, signature: string) => /^export\b/.test(signature),
} as const;

export const typescript = defineLanguage({
  ...basics,
  name: 'typescript',
  grammar: 'typescript',
  extensions: ['ts', 'mts', 'cts'],
  query: shared + types,
});

export const tsx = defineLanguage({
  ...basics,
  name: 'tsx',
  grammar: 'tsx',
  extensions: ['tsx'],
  query: shared + types + elements,
});

export const javascript = defineLanguage({
  ...basics,
  name: 'javascript',
  grammar: 'javascript',
  extensions: ['js', 'mjs', 'cjs', 'jsx'],
  query: `${shared + elements}
(field_definition property: (_) @name) @field
(class_heritage (identifier) @parent)`,
});
