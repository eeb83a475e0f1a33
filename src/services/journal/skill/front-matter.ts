// The front matter of a SKILL.md: YAML between two lines of dashes. Existing front matter is kept byte for byte and parsed by
// a real YAML parser, because clients compare our result with theirs; what we write needs none.
import { LoreError } from '../../../core/error.ts';
import { isObject } from '../../../core/schema.ts';
import { type FrontMatter, isName, longestDescription, nameExpected, proposeName } from './skill.ts';

const block = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const longestBlock = 32_000;

/** A text may also begin with a rule of dashes; then no line of what follows looks like a key. */
function findBlock(text: string): string | undefined {
  const found = block.exec(text.slice(0, longestBlock))?.[1];
  return found !== undefined && /^[\w-]+[ \t]*:/m.test(found) ? found : undefined;
}

/** The front matter of a text, if any. `path` names it in errors. */
export async function readFrontMatter(text: string, path: string): Promise<FrontMatter | undefined> {
  const source = findBlock(text);
  if (source === undefined) return undefined;
  const { parse } = await import('yaml');
  let front: unknown;
  try {
    front = JSON.parse(JSON.stringify(parse(source, { logLevel: 'error' })));
  } catch (error) {
    const line = (error as { linePos?: { line: number }[] }).linePos?.[0]?.line;
    throw formatError(path, 'YAML', `invalid YAML${line === undefined ? '' : ` in line ${line + 1}`}`, {
      hint: 'Put values with a colon, quote or bracket in them into double quotes.',
    });
  }
  if (!isObject(front)) throw formatError(path, 'keys with values', 'something else');
  const { name, description } = front;
  if (typeof name !== 'string' || !isName(name)) {
    const proposal = proposeName(String(name ?? ''));
    throw formatError(path, `a name of ${nameExpected}`, name === undefined ? 'no name' : JSON.stringify(name), {
      ...(proposal !== undefined && name !== undefined && { hint: `Say "${proposal}".` }),
    });
  }
  if (typeof description !== 'string' || description.trim() === '' || description.length > longestDescription) {
    const received = typeof description === 'string' ? `${description.length} characters` : 'none';
    throw formatError(path, `a description of 1 to ${longestDescription} characters`, received);
  }
  return front as FrontMatter;
}

function formatError(path: string, expected: string, received: string, options: { hint?: string } = {}): LoreError {
  const message = `Cannot read the front matter of a skill: it should have ${expected}, got ${received}`;
  return new LoreError('invalid_input', message, { ...options, details: { path, expected, received } });
}

/** Front matter for a skill that has none. */
export function makeFrontMatter(skill: {
  name: string;
  description: string;
  version: string | undefined;
  tags: readonly string[];
}): FrontMatter {
  const { name, description, version, tags } = skill;
  const metadata = {
    ...(version !== undefined && { version }),
    ...(tags.length > 0 && { tags: tags.join(', ') }),
  };
  return { name, description, ...(Object.keys(metadata).length > 0 && { metadata }) };
}

/** The whole file: as given, or with generated front matter. */
export function writeSkillFile(content: string, { front, whole }: { front: FrontMatter; whole?: boolean }): string {
  if (whole) return content;
  const lines = Object.entries(front).flatMap(([key, value]) =>
    isObject(value)
      ? [`${key}:`, ...Object.entries(value).map(([inner, text]) => `  ${inner}: ${JSON.stringify(text)}`)]
      : [`${key}: ${writeScalar(String(value))}`],
  );
  return `---\n${lines.join('\n')}\n---\n\n${content}`;
}

/** JSON's strings are YAML's; plain words read better and are the same. */
function writeScalar(text: string): string {
  const isPlain = /^[A-Za-z][\w ,.()/-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$|\s$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}

/** The author's version label and tags, wherever skills have them. */
export function readExtras(front: FrontMatter): { version: string | undefined; tags: string[] | undefined } {
  const metadata = isObject(front.metadata) ? front.metadata : {};
  const version = front.version ?? metadata.version;
  const tags = front.tags ?? metadata.tags;
  const listed = typeof tags === 'string' ? tags.split(',') : Array.isArray(tags) ? tags.map(String) : undefined;
  return {
    version: typeof version === 'string' || typeof version === 'number' ? String(version).slice(0, 64) : undefined,
    tags: listed
      ?.map((tag) => tag.trim().slice(0, 64))
      .filter((tag) => tag !== '')
      .slice(0, 32),
  };
}

const longestDerived = 200;

/** Default description: the first sentence, else the heading, else the name. */
export function describeContent(content: string, name: string): string {
  const lines = content.split('\n').map((line) => line.trim());
  const prose = lines.find((line) => /^[\p{L}\p{N}`*_"]/u.test(line) && !/^(?:```|\d+[.)]\s)/.test(line));
  const heading = lines.find((line) => /^#+\s/.test(line))?.replace(/^#+\s+/, '');
  const text = (prose ?? heading ?? '').replace(/[`*_]/g, '').trim();
  const sentence = /^.{20,}?[.!?](?=\s|$)/u.exec(text)?.[0] ?? text;
  if (sentence === '') return name.replaceAll('-', ' ');
  return sentence.length > longestDerived
    ? `${sentence.slice(0, longestDerived).replace(/[\ud800-\udbff]$/, '')}…`
    : sentence;
}
