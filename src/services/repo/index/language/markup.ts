// Data, style sheets, pages and prose. Their definitions are what people search by name.
import { defineLanguage } from './language.ts';

export const json = defineLanguage({
  name: 'json',
  grammar: 'json',
  extensions: ['json', 'jsonc', 'json5', 'webmanifest'],
  docs: 'none',
  query: '(document (object (pair key: (string (string_content) @name)) @field))',
});

export const yaml = defineLanguage({
  name: 'yaml',
  grammar: 'yaml',
  extensions: ['yaml', 'yml'],
  lineComment: ['#'],
  docs: 'above',
  query: '(document (block_node (block_mapping (block_mapping_pair key: (flow_node) @name) @field)))',
});

export const toml = defineLanguage({
  name: 'toml',
  grammar: 'toml',
  extensions: ['toml'],
  names: ['Cargo.lock', 'poetry.lock', 'Pipfile'],
  lineComment: ['#'],
  docs: 'above',
  query: `
(table . [(bare_key) (dotted_key) (quoted_key)] @name) @field
(table_array_element . [(bare_key) (dotted_key) (quoted_key)] @name) @field
(document (pair . [(bare_key) (dotted_key) (quoted_key)] @name) @field)`,
});

export const html = defineLanguage({
  name: 'html',
  grammar: 'html',
  extensions: ['html', 'htm', 'xhtml', 'vue', 'svelte'],
  docs: 'none',
  query: `
((attribute (attribute_name) @_id (quoted_attribute_value (attribute_value) @name)) @field (#eq? @_id "id"))
((attribute (attribute_name) @_src (quoted_attribute_value (attribute_value) @import)) (#any-of? @_src "src" "href"))`,
});

export const css = defineLanguage({
  name: 'css',
  grammar: 'css',
  extensions: ['css', 'pcss'],
  docs: 'above',
  query: `
(rule_set (selectors (_) @name)) @field
(stylesheet (rule_set (block (declaration (property_name) @name) @variable)) (#match? @name "^--"))
(keyframes_statement (keyframes_name) @name) @field
(import_statement (string_value) @import)`,
});

export const markdown = defineLanguage({
  name: 'markdown',
  grammar: 'markdown',
  extensions: ['md', 'markdown', 'mdx', 'mkd'],
  docs: 'none',
  query: `
(section (atx_heading heading_content: (inline) @name)) @heading
(section (setext_heading heading_content: (paragraph (inline) @name))) @heading`,
});
