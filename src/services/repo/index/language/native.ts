// C and C++: a definition's name is inside its declarator, at any depth of pointers.
import { defineLanguage } from './language.ts';

const declared = (kind: string, name: string) => `
(${kind} declarator: (function_declarator declarator: ${name}))
(${kind} declarator: (pointer_declarator declarator: (function_declarator declarator: ${name})))
(${kind} declarator: (pointer_declarator
  declarator: (pointer_declarator declarator: (function_declarator declarator: ${name}))))`;

/** Each of the forms as a capture of its own. */
const capture = (forms: string, as: string) =>
  forms
    .trim()
    .split(/\n(?=\()/)
    .map((form) => `${form} @${as}`)
    .join('\n');

const shared = `
${capture(declared('function_definition', '(identifier) @name'), 'function')}
(struct_specifier name: (type_identifier) @name body: (_)) @class
(union_specifier name: (type_identifier) @name body: (_)) @class
(enum_specifier name: (type_identifier) @name body: (_)) @enum
(enumerator name: (identifier) @name) @constant
(type_definition declarator: (type_identifier) @name) @type
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @type
(type_definition
  declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator
    declarator: (type_identifier) @name)))) @type
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)) @variable)
(translation_unit (declaration declarator: (init_declarator
  declarator: (pointer_declarator declarator: (identifier) @name))) @variable)
(translation_unit (declaration declarator: (init_declarator
  declarator: (array_declarator declarator: (identifier) @name))) @variable)

(preproc_include path: (_) @import)

(call_expression function: (identifier) @call)
(call_expression function: (field_expression argument: (_) @object field: (field_identifier) @send))
`;

export const c = defineLanguage({
  name: 'c',
  grammar: 'c',
  extensions: ['c', 'h'],
  lineComment: ['//'],
  docs: 'above',
  family: 'native',
  isExported: (_name, signature) => !/^static\b/.test(signature),
  query: shared,
});

export const cpp = defineLanguage({
  name: 'cpp',
  grammar: 'cpp',
  extensions: ['cc', 'cpp', 'cxx', 'c++', 'hh', 'hpp', 'hxx', 'h++', 'inl', 'ipp', 'tpp', 'cu', 'cuh'],
  lineComment: ['///', '//'],
  docs: 'above',
  family: 'native',
  isExported: (_name, signature) => !/^static\b/.test(signature),
  query: `${shared}
(class_specifier name: (type_identifier) @name body: (_)) @class
(namespace_definition name: (_) @name) @module
(alias_declaration name: (type_identifier) @name) @type
(concept_definition name: (identifier) @name) @type
${capture(declared('function_definition', '(field_identifier) @name'), 'method')}
${capture(declared('function_definition', '(qualified_identifier) @name'), 'method')}
${capture(declared('function_definition', '(destructor_name) @name'), 'method')}
${capture(declared('function_definition', '(operator_name) @name'), 'method')}
(function_definition declarator: (reference_declarator (function_declarator declarator: (_) @name))) @function
(field_declaration declarator: (function_declarator declarator: (field_identifier) @name)) @method
(call_expression function: (qualified_identifier scope: (_) @object name: (identifier) @send))
(base_class_clause (type_identifier) @parent)
`,
});
