// The one list of languages, and which of them a file is in.
import { csharp } from './csharp.ts';
import { javascript, tsx, typescript } from './ecmascript.ts';
import { go } from './go.ts';
import { java, kotlin } from './jvm.ts';
import type { Language } from './language.ts';
import { css, html, json, markdown, toml, yaml } from './markup.ts';
import { c, cpp } from './native.ts';
import { python } from './python.ts';
import { rust } from './rust.ts';
import { bash, php, ruby, swift } from './scripting.ts';

export const languages: readonly Language[] = [
  typescript,
  tsx,
  javascript,
  python,
  go,
  rust,
  java,
  c,
  cpp,
  csharp,
  ruby,
  php,
  kotlin,
  swift,
  bash,
  json,
  yaml,
  toml,
  html,
  css,
  markdown,
];

const byExtension = new Map(languages.flatMap((one) => one.extensions.map((extension) => [extension, one] as const)));
const byName = new Map(languages.flatMap((one) => (one.names ?? []).map((name) => [name, one] as const)));

/** By its name alone: nothing for what no grammar reads. */
export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return byName.get(name) ?? (dot < 0 ? undefined : byExtension.get(name.slice(dot + 1).toLowerCase()));
}
