// The extension for skills: lists the skills of the caller's project with the digests of their files, and the content of their
// folders. The files are read as resources.
import { attempt, type Soon } from '../../core/attempt.ts';
import { getSkill, listKnownSkills, listSkills, readSkillFolder } from '../../core/registry/skill-lookup.ts';
import type { Skill } from '../../core/skill.ts';
import { invalidParams } from '../code.ts';
import type { Exchange } from '../exchange.ts';
import type { ListEntry } from '../list.ts';
import { projectResource } from '../project.ts';
import type { Protocol } from '../protocol.ts';
import { cacheable, type Method, members } from './method.ts';

/** Digests are current: a client that caches an entry longer would have to fetch it again. */
const entryTtlMs = 0;

const list: Method = {
  era: 'stateless',
  async run(exchange, { registry, lists }) {
    const skills = await listSkills(registry, exchange);
    const entries = skills.map((skill) => ({ key: skill.uri, json: skill }));
    return cacheable(exchange, lists.write('skills', entries, exchange.params.cursor));
  },
};

const get: Method = {
  era: 'stateless',
  async run(exchange, { registry }) {
    const uri = uriOf(exchange);
    const skill = await getSkill(registry, uri, exchange);
    if (!skill) throw invalidParams(`Cannot get skill "${uri}": there is no such skill`);
    return cacheable(exchange, members({ skill }), entryTtlMs);
  },
};

const readDirectory: Method = {
  era: 'stateless',
  async run(exchange, { registry, lists }) {
    const uri = uriOf(exchange);
    const children = await readSkillFolder(registry, uri, exchange);
    if (children.length === 0) throw invalidParams(`Cannot read "${uri}": it is not a directory`);
    const entries = children.map((child) => ({ key: child.uri, json: projectResource(child, exchange.revision) }));
    return lists.write('resources', entries, exchange.params.cursor);
  },
};

function uriOf({ params }: Exchange): string {
  if (typeof params.uri !== 'string') throw invalidParams('params.uri must be a string');
  return params.uri;
}

const knownWithinMs = 1_000;

/** For clients without the extension, each SKILL.md is an ordinary resource. */
export function listSkillFiles(exchange: Exchange, { registry }: Protocol): Soon<ListEntry[]> {
  // A failing database must not affect other resources.
  const none = (): ListEntry[] => [];
  const known = attempt(() => listKnownSkills(registry, exchange), describe, none);
  if (!(known instanceof Promise)) return known;
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<ListEntry[]>((resolve) => {
    late = setTimeout(() => resolve([]), knownWithinMs);
  });
  return Promise.race([known, tooLate]).finally(() => clearTimeout(late));

  function describe(skills: readonly Skill[]): ListEntry[] {
    return skills.map(({ uri, frontmatter: { name, description }, resources }) => {
      const size = resources.find((file) => file.uri === uri)?.size;
      const resource = { uri, name, description, mimeType: 'text/markdown', ...(size !== undefined && { size }) };
      return { key: uri, json: projectResource(resource, exchange.revision) };
    });
  }
}

export const skillMethods = {
  'skills/list': list,
  'skills/get': get,
  'resources/directory/read': readDirectory,
} satisfies Record<string, Method>;
