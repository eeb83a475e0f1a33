// Ruby, PHP, Swift and Bash.
import { defineLanguage } from './language.ts';

export const ruby = defineLanguage({
  name: 'ruby',
  grammar: 'ruby',
  extensions: ['rb', 'rake', 'gemspec'],
  names: ['Gemfile', 'Rakefile', 'Podfile', 'Fastfile', 'Vagrantfile'],
  lineComment: ['#'],
  docs: 'above',
  query: `
(method name: (_) @name) @method
(singleton_method name: (_) @name) @method
(class name: [(constant) (scope_resolution)] @name) @class
(module name: [(constant) (scope_resolution)] @name) @module
(assignment left: (constant) @name) @constant
(call
  method: (identifier) @_require arguments: (argument_list . (string (string_content) @import))
  (#any-of? @_require "require" "require_relative" "load" "autoload"))
(call !receiver method: (identifier) @call)
(call receiver: (_) @object method: (identifier) @send)
(superclass (constant) @parent)
`,
});

export const php = defineLanguage({
  name: 'php',
  grammar: 'php',
  extensions: ['php', 'phtml', 'inc'],
  lineComment: ['//', '#'],
  docs: 'above',
  isExported: (_name, signature) => !/\b(private|protected)\b/.test(signature),
  query: `
(function_definition name: (name) @name) @function
(method_declaration name: (name) @name) @method
(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @class
(enum_declaration name: (name) @name) @enum
(const_element . (name) @name) @constant
(property_element (variable_name (name) @name)) @field
(namespace_use_clause (_) @import)
(require_once_expression (string (string_content) @import))
(require_expression (string (string_content) @import))
(include_expression (string (string_content) @import))
(include_once_expression (string (string_content) @import))
(function_call_expression function: (name) @call)
(member_call_expression object: (_) @object name: (name) @send)
(scoped_call_expression scope: (_) @object name: (name) @send)
(object_creation_expression (name) @call)
(base_clause (name) @parent)
(class_interface_clause (name) @parent)
`,
});

export const swift = defineLanguage({
  name: 'swift',
  grammar: 'swift',
  extensions: ['swift'],
  lineComment: ['///', '//'],
  docs: 'above',
  isExported: (_name, signature) => !/\b(private|fileprivate)\b/.test(signature),
  query: `
(class_declaration declaration_kind: ["class" "struct" "enum" "actor"] name: (type_identifier) @name) @class
(class_declaration declaration_kind: "extension" name: (_) @name) @within
(protocol_declaration name: (type_identifier) @name) @interface
(typealias_declaration name: (type_identifier) @name) @type
(function_declaration name: (_) @name) @function
(protocol_function_declaration name: (_) @name) @method
(init_declaration "init" @name) @method
(enum_entry name: (simple_identifier) @name) @constant
(source_file (property_declaration (pattern (simple_identifier) @name)) @constant)
(class_body (property_declaration (pattern (simple_identifier) @name)) @field)
(import_declaration (identifier) @import)
(call_expression . (simple_identifier) @call)
(call_expression . (navigation_expression target: (_) @object suffix: (navigation_suffix suffix: (simple_identifier) @send)))
(inheritance_specifier inherits_from: (user_type (type_identifier) @parent))
`,
});

export const bash = defineLanguage({
  name: 'bash',
  grammar: 'bash',
  extensions: ['sh', 'bash', 'zsh', 'ksh', 'bats'],
  names: ['.bashrc', '.bash_profile', '.profile', '.zshrc', 'PKGBUILD'],
  lineComment: ['#'],
  docs: 'above',
  query: `
(function_definition name: (word) @name) @function
(program (variable_assignment name: (variable_name) @name) @variable)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @variable)
(command name: (command_name (word) @_source) argument: (word) @import (#any-of? @_source "source" "."))
(command name: (command_name (word) @call))
`,
});
