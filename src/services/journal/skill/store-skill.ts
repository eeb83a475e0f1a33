// Stores a skill: the same name again is a new version that supersedes the previous one, unless nothing changed. The other
// files of a skill are nodes that its versions share.
import { hashHex } from '../../../core/crypto.ts';
import { LoreError } from '../../../core/error.ts';
import { redact, redactSoon } from '../../../core/secret/redact.ts';
import type { NewNode, Node } from '../../../graph/node.ts';
import { ensureProject, nameNode, type Scope } from '../../../graph/project/scope.ts';
import { findNewest } from './find-skill.ts';
import { describeContent, makeFrontMatter, readExtras, readFrontMatter, writeSkillFile } from './front-matter.ts';
import {
  checkName,
  dataOf,
  type FrontMatter,
  fileKind,
  type KeptFile,
  nameId,
  nameKind,
  type SkillData,
  skillKind,
  versionEdge,
  versionId,
} from './skill.ts';

export interface GivenFile {
  path: string;
  text: string;
  executable: boolean;
}

interface SkillDraft {
  name: string;
  /** Markdown, with or without front matter. */
  content: string;
  description?: string | undefined;
  tags?: readonly string[] | undefined;
  version?: string | undefined;
  /** Undefined: those of the previous version. */
  files?: readonly GivenFile[] | undefined;
  source?: string | undefined;
}

interface KeptSkill {
  action: 'saved' | 'updated' | 'unchanged' | 'restored';
  node: Node;
  /** Number of redacted secrets. */
  redacted: number;
}

/** Retries if other processes save the same skill at the same time. */
const maxTries = 8;

export async function storeSkill(scope: Scope, draft: SkillDraft): Promise<KeptSkill> {
  checkName(draft.name);
  const secrets = createRedactor();
  const content = await secrets.clean(draft.content);
  const own = await readFrontMatter(content, 'arguments.content');
  if (own) refuseDifferences(draft, own);
  const files = draft.files && (await cleanFiles(draft.files, secrets));
  await ensureProject(scope);
  for (let tries = 1; ; tries++) {
    const before = await findNewest(scope.opened, scope.projects, draft.name);
    // All versions belong to the project of the first one.
    const project = before?.project ?? scope.project.id;
    try {
      const kept = await keepOnce(scope, project, { ...draft, content, files }, own, before);
      return { ...kept, redacted: secrets.count() };
    } catch (error) {
      // Another process made this version first.
      if (!(error instanceof LoreError) || error.word !== 'conflict' || tries === maxTries) throw error;
    }
  }
}

async function cleanFiles(given: readonly GivenFile[], secrets: Redactor): Promise<GivenFile[]> {
  const files: GivenFile[] = [];
  for (const file of given) files.push({ ...file, text: await secrets.clean(file.text) });
  return files;
}

async function keepOnce(
  scope: Scope,
  project: string,
  draft: SkillDraft,
  own: FrontMatter | undefined,
  before: Node | undefined,
): Promise<Omit<KeptSkill, 'redacted'>> {
  const { opened, actor } = scope;
  const { graph } = opened;
  const { name, content } = draft;
  const earlier = before && dataOf(before);
  const files = draft.files?.map((file) => describeFile(project, name, file)) ?? earlier?.files ?? [];
  if (before && earlier) {
    // Without a version label it keeps the previous one, unless something else changed.
    const same = await describeSkill({ ...draft, version: draft.version ?? earlier.version }, own, earlier);
    if (same.digest === earlier.digest && sameFiles(files, earlier.files ?? [])) {
      if (before.forgottenAt === undefined) return { action: 'unchanged', node: before };
      await graph.unforget(before.id, actor);
      return { action: 'restored', node: { ...before, forgottenAt: undefined } };
    }
  }
  const number = (earlier?.number ?? 0) + 1;
  const head = nameId(project, name);
  if (number === 1) await graph.ensure({ id: head, project, kind: nameKind, title: name, text: '' });
  const data: SkillData = {
    ...(await describeSkill(draft, own, earlier)),
    number,
    ...(files.length > 0 && { files }),
  };
  const id = versionId(project, name, number);
  const fresh = await findFresh(scope, project, draft, files);
  const news: NewNode[] = [
    {
      id,
      project,
      kind: skillKind,
      title: `${name}: ${data.description}`,
      text: content,
      data: { ...data },
      source: draft.source ?? '',
    },
    ...fresh,
  ];
  const [node] = await graph.put(news, actor, {
    edges: [
      { from: id, kind: versionEdge, to: head },
      ...files.map((file) => ({ from: id, kind: 'has', to: file.id })),
    ],
    supersede: before ? [{ old: before.id, by: id, since: graph.now() }] : [],
  });
  return { action: before ? 'updated' : 'saved', node: node as Node };
}

async function describeSkill(
  draft: SkillDraft,
  own: FrontMatter | undefined,
  earlier: SkillData | undefined,
): Promise<Omit<SkillData, 'number' | 'files'>> {
  const { name, content } = draft;
  const clean = (text: string) => redact(text).text;
  const extras = own && readExtras(own);
  const version = draft.version === undefined ? extras?.version : clean(draft.version);
  const tags = (draft.tags ?? extras?.tags ?? earlier?.tags ?? []).map(clean);
  const description =
    own?.description ?? clean(draft.description ?? earlier?.description ?? describeContent(content, name));
  const front = own ?? makeFrontMatter({ name, description, version, tags });
  const { text: file } = await redactSoon(writeSkillFile(content, { front, whole: own !== undefined }));
  return {
    name,
    description,
    ...(version !== undefined && { version }),
    ...(tags.length > 0 && { tags: [...new Set(tags)] }),
    front,
    ...(own && { whole: true }),
    ...measure(file),
  };
}

function describeFile(project: string, name: string, { path, text, executable }: GivenFile): KeptFile {
  const measured = measure(text);
  return {
    path,
    id: nameNode('skf', project, name, path, measured.digest),
    ...measured,
    ...(executable && { executable: true as const }),
  };
}

/** Files that no earlier version has. */
async function findFresh(scope: Scope, project: string, { name, files = [] }: SkillDraft, kept: readonly KeptFile[]) {
  const known = new Set((await scope.opened.graph.getAll(kept.map(({ id }) => id))).map(({ id }) => id));
  return files.flatMap((file, at): NewNode[] => {
    const { id } = kept[at] as KeptFile;
    const title = `${name}/${file.path}`;
    return known.has(id) ? [] : [{ id, project, kind: fileKind, title, text: file.text }];
  });
}

function measure(text: string): { digest: string; size: number } {
  const bytes = Buffer.from(text);
  return { digest: `sha256:${hashHex(bytes)}`, size: bytes.length };
}

function sameFiles(a: readonly KeptFile[], b: readonly KeptFile[]): boolean {
  const describeFiles = (files: readonly KeptFile[]) =>
    JSON.stringify(files.map(({ path, digest, executable = false }) => [path, digest, executable]).sort());
  return describeFiles(a) === describeFiles(b);
}

/** Front matter takes precedence; contradicting arguments are an error. */
function refuseDifferences({ name, description, version }: SkillDraft, own: FrontMatter): void {
  const fields: [string, string | undefined, string | undefined][] = [
    ['name', name, own.name],
    ['description', description, own.description],
    ['version', version, readExtras(own).version ?? version],
  ];
  for (const [key, given, written] of fields) {
    if (given === undefined || given === written) continue;
    throw new LoreError('invalid_input', `Cannot save skill "${name}": its front matter has another ${key}`, {
      hint: 'Change the front matter, or omit the argument.',
      details: { path: `arguments.${key}`, expected: JSON.stringify(written), received: JSON.stringify(given) },
    });
  }
}

type Redactor = ReturnType<typeof createRedactor>;

function createRedactor() {
  let found = 0;
  return {
    async clean(text: string): Promise<string> {
      // Not every database can store these, and served bytes must match the digest.
      const result = await redactSoon(text.replace(/[\ud800-\udfff]|\0/gu, '\ufffd'));
      for (const { count } of result.found) found += count;
      return result.text;
    },
    count: () => found,
  };
}
