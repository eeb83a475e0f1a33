// C#.
import { defineLanguage } from './language.ts';

export const csharp = defineLanguage({
  name: 'csharp',
  grammar: 'c_sharp',
  extensions: ['cs'],
  lineComment: ['///', '//'],
  docs: 'above',
  isExported: (_name, signature) => /\b(public|protected|internal)\b/.test(signature),
  query: `
(class_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_member_declaration name: (identifier) @name) @constant
(delegate_declaration name: (identifier) @name) @type
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(property_declaration name: (identifier) @name) @field
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field
(local_function_statement name: (identifier) @name) @function
(namespace_declaration name: (_) @name) @within
(file_scoped_namespace_declaration name: (_) @name) @within

(using_directive (_) @import)

(invocation_expression function: (identifier) @call)
(invocation_expression function: (member_access_expression expression: (_) @object name: (identifier) @send))
(object_creation_expression type: (identifier) @call)
(base_list (identifier) @parent)
`,
});
