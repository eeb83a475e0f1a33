// Rust: an `impl` gives its functions their qualified name and is not a symbol itself. Items are often wrapped in a macro for
// conditional compilation: the content of its braces is parsed as well.
import { defineLanguage } from './language.ts';

export const rust = defineLanguage({
  name: 'rust',
  grammar: 'rust',
  extensions: ['rs'],
  lineComment: ['///', '//!', '//'],
  docs: 'above',
  isExported: (_name, signature) => /^pub\b/.test(signature),
  unread: '(macro_invocation (token_tree) @inner)',
  query: `
(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @class
(union_item name: (type_identifier) @name) @class
(enum_item name: (type_identifier) @name) @enum
(enum_variant name: (identifier) @name) @constant
(trait_item name: (type_identifier) @name) @interface
(type_item name: (type_identifier) @name) @type
(associated_type name: (type_identifier) @name) @type
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @variable
(mod_item name: (identifier) @name) @module
(macro_definition name: (identifier) @name) @macro
(impl_item type: (type_identifier) @name) @within
(impl_item type: (generic_type type: (type_identifier) @name)) @within
(impl_item type: (scoped_type_identifier name: (type_identifier) @name)) @within

(use_declaration argument: (_) @import)
(mod_item name: (identifier) @import !body)

(call_expression function: (identifier) @call)
(call_expression function: (generic_function function: (identifier) @call))
(call_expression function: (scoped_identifier path: (_) @object name: (identifier) @send))
(call_expression function: (field_expression value: (_) @object field: (field_identifier) @send))
(macro_invocation macro: (identifier) @call)
(struct_expression name: (type_identifier) @call)
(impl_item trait: (type_identifier) @parent)
(impl_item trait: (generic_type type: (type_identifier) @parent))
`,
});
