// Python: documented inside, private by an underscore.
import { defineLanguage } from './language.ts';

export const python = defineLanguage({
  name: 'python',
  grammar: 'python',
  extensions: ['py', 'pyi', 'pyw'],
  lineComment: ['#'],
  docs: 'inside',
  isExported: (name) => !name.startsWith('_') || /^__\w+__$/.test(name),
  query: `
(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @class
(module (expression_statement (assignment left: (identifier) @name) @constant))
(module (expression_statement (assignment left: (pattern_list (identifier) @name)) @constant))
(module (if_statement (block (expression_statement (assignment left: (identifier) @name) @constant))))
(module (try_statement (block (expression_statement (assignment left: (identifier) @name) @constant))))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @field)))
(type_alias_statement . (type (identifier) @name)) @type

(import_statement name: (dotted_name) @import)
(import_statement name: (aliased_import name: (dotted_name) @import alias: (identifier) @alias))
(import_from_statement module_name: (_) @import name: (dotted_name) @imported)
(import_from_statement
  module_name: (_) @import name: (aliased_import name: (dotted_name) @imported alias: (identifier) @alias))
(import_from_statement module_name: (_) @import (wildcard_import))

(call function: (identifier) @call)
(call function: (attribute object: (_) @object attribute: (identifier) @send))
(decorator (identifier) @call)
(class_definition superclasses: (argument_list (identifier) @parent))
(class_definition superclasses: (argument_list (attribute attribute: (identifier) @parent)))
`,
});
