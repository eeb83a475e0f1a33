// Skills as in the protocol's extension: a folder of files with its `SKILL.md`, each file a resource. The skills depend on the
// caller's project, so a service provides a source instead of a list.
import type { Soon } from './attempt.ts';
import type { Call } from './call.ts';

export interface SkillFile {
  uri: string;
  /** `sha256:` and 64 hexadecimal digits, of the bytes as they are served. */
  digest: string;
  /** In bytes. */
  size: number;
}

export interface Skill {
  /** URI of its `SKILL.md`. */
  uri: string;
  /** The complete front matter of its `SKILL.md`. */
  frontmatter: { readonly name: string; readonly description: string; readonly [key: string]: unknown };
  /** Every file, including `SKILL.md`. */
  resources: readonly SkillFile[];
}

export interface SkillSource {
  /** The tool of the same service whose permission covers these skills; without one, the service's. */
  readonly permission?: string;
  list(call: Pick<Call, 'caller'>): Promise<readonly Skill[]>;
  get(uri: string, call: Pick<Call, 'caller'>): Promise<Skill | undefined>;
  /** Skills that are known without opening a database: a list of resources must not wait for one. */
  known(call: Pick<Call, 'caller'>): Soon<readonly Skill[]>;
}

export const skillFile = 'SKILL.md';
const directoryType = 'inode/directory';

/** The direct content of a folder of a skill; undefined if it does not exist. */
export function listDirectory({ resources }: Skill, uri: string): { uri: string; name: string; mimeType: string }[] {
  const children = new Map<string, { uri: string; name: string; mimeType: string }>();
  for (const file of resources) {
    if (!file.uri.startsWith(`${uri}/`)) continue;
    const [segment = '', ...below] = file.uri.slice(uri.length + 1).split('/');
    const child = `${uri}/${segment}`;
    const mimeType = below.length > 0 ? directoryType : mimeTypeOf(segment);
    children.set(child, { uri: child, name: decodeURIComponent(segment), mimeType });
  }
  return [...children.values()];
}

const mimeTypes: Record<string, string> = {
  md: 'text/markdown',
  html: 'text/html',
  css: 'text/css',
  csv: 'text/csv',
  json: 'application/json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  xml: 'application/xml',
  svg: 'image/svg+xml',
  js: 'text/javascript',
  mjs: 'text/javascript',
};

/** Only texts are stored, so an unknown type is a text. */
export function mimeTypeOf(path: string): string {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(mimeTypes, ending) ? (mimeTypes[ending] as string) : 'text/plain';
}
