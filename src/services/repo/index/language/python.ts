// Python: documented inside, private by an underscore.
import { defineLanguage } from './language.ts';

/** `a = 1`, `a, b = 1, 2` and `a = b = 1`. */
const names = [
  '(assignment left: [(identifier) @name (pattern_list (identifier) @name)])',
  '(assignment right: (assignment left: (identifier) @name))',
].map((one) => `(expression_statement ${one} @kind)`);

/** At the top level, or under a condition; assignments in a loop are not definitions. */
const under = [
  '$',
  '(if_statement [(block $) (_ (block $))])',
  '(try_statement [(block $) (_ (block $))])',
  '(with_statement (block $))',
];

function findNames(place: string, kind: string): string {
  const all = under.flatMap((way) => names.map((one) => place.replace('$', way.replaceAll('$', one))));
  return all.join('\n').replaceAll('@kind', `@${kind}`);
}

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
${findNames('(module $)', 'constant')}
${findNames('(class_definition body: (block $))', 'field')}
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
