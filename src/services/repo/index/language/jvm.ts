// Java and Kotlin, which import each other's classes.
import { defineLanguage } from './language.ts';

export const java = defineLanguage({
  name: 'java',
  grammar: 'java',
  extensions: ['java'],
  lineComment: ['//'],
  docs: 'above',
  family: 'jvm',
  isExported: (_name, signature) => /\b(public|protected)\b/.test(signature),
  query: `
(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(annotation_type_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_constant name: (identifier) @name) @constant
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(compact_constructor_declaration name: (identifier) @name) @method
(annotation_type_element_declaration name: (identifier) @name) @method
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @constant

(import_declaration (scoped_identifier) @import)

(method_invocation !object name: (identifier) @call)
(method_invocation object: (_) @object name: (identifier) @send)
(object_creation_expression type: (type_identifier) @call)
(object_creation_expression type: (generic_type (type_identifier) @call))
(superclass (type_identifier) @parent)
(super_interfaces (type_list (type_identifier) @parent))
(extends_interfaces (type_list (type_identifier) @parent))
`,
});

export const kotlin = defineLanguage({
  name: 'kotlin',
  grammar: 'kotlin',
  extensions: ['kt', 'kts'],
  lineComment: ['//'],
  docs: 'above',
  family: 'jvm',
  isExported: (_name, signature) => !/\b(private|internal)\b/.test(signature),
  query: `
(class_declaration (type_identifier) @name) @class
(object_declaration (type_identifier) @name) @class
(type_alias (type_identifier) @name) @type
(enum_entry (simple_identifier) @name) @constant
(function_declaration (simple_identifier) @name) @function
(source_file (property_declaration (variable_declaration (simple_identifier) @name)) @constant)
(class_body (property_declaration (variable_declaration (simple_identifier) @name)) @field)
(class_parameter (simple_identifier) @name) @field

(import_header (identifier) @import)

(call_expression . (simple_identifier) @call)
(call_expression . (navigation_expression . (_) @object (navigation_suffix (simple_identifier) @send)))
(delegation_specifier (user_type (type_identifier) @parent))
(delegation_specifier (constructor_invocation (user_type (type_identifier) @parent)))
`,
});
