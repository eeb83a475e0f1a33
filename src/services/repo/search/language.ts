// Which files a language means: those with its extensions.
import { LoreError } from '../../../core/error.ts';
import { languages } from '../index/language/languages.ts';

const also: Readonly<Record<string, string>> = {
  js: 'javascript',
  ts: 'typescript',
  py: 'python',
  'c++': 'cpp',
  shell: 'bash',
  'c#': 'csharp',
  golang: 'go',
};
/** Languages that are searched together under one name. */
const together: Readonly<Record<string, readonly string[]>> = { typescript: ['tsx'] };

export function extensionsOf(language: string | undefined): string[] {
  if (language === undefined) return [];
  const asked = also[language.toLowerCase()] ?? language.toLowerCase();
  const names = [asked, ...(together[asked] ?? [])];
  const found = languages.filter(({ name, extensions }) => names.includes(name) || extensions.includes(asked));
  if (found.length > 0) return found.flatMap(({ extensions }) => extensions);
  // An extension of another language means its files.
  if (/^[a-z0-9]{1,8}$/.test(asked) && !languages.some(({ name }) => name === asked)) return [asked];
  throw new LoreError('invalid_input', `Cannot search in language "${language}": unknown language`, {
    hint: `Known: ${languages.map(({ name }) => name).join(', ')}; or an extension.`,
    details: { path: 'arguments.language', expected: 'a language or an extension', received: language },
  });
}
