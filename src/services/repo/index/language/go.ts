// Go: methods are named after their receiver, and capitals are public.
import { defineLanguage } from './language.ts';

export const go = defineLanguage({
  name: 'go',
  grammar: 'go',
  extensions: ['go'],
  lineComment: ['//'],
  docs: 'above',
  isExported: (name) => /^\p{Lu}/u.test(name),
  query: `
(function_declaration name: (identifier) @name) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @scope
    (pointer_type (type_identifier) @scope)
    (generic_type type: (type_identifier) @scope)
    (pointer_type (generic_type type: (type_identifier) @scope))
  ]))
  name: (field_identifier) @name) @method
(type_spec name: (type_identifier) @name type: (interface_type)) @interface
(type_spec name: (type_identifier) @name type: (struct_type)) @class
(type_spec name: (type_identifier) @name) @type
(type_alias name: (type_identifier) @name) @type
(interface_type (method_elem name: (field_identifier) @name) @method)
(source_file (const_declaration (const_spec (identifier) @name) @constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @variable)))

(import_spec !name path: (_) @import)
(import_spec name: (_) @alias path: (_) @import)

(call_expression function: (identifier) @call)
(call_expression function: (selector_expression operand: (_) @object field: (field_identifier) @send))
(composite_literal type: (type_identifier) @call)
(struct_type (field_declaration_list (field_declaration !name type: (type_identifier) @parent)))
`,
});
