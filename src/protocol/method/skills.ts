// The extension for skills: which ones the caller's project has, with the digests of their files, and what lies in their
// folders. The files themselves are read as resources.
import type { Soon } from '../../core/attempt.ts';
import { listDirectory, type Skill, skillFile } from '../../core/skill.ts';
import { invalidParams } from '../code.ts';
import type { Exchange } from '../exchange.ts';
import type { Entry } from '../list.ts';
import { projectResource } from '../project.ts';
import type { Protocol } from '../protocol.ts';
import { cacheable, type Method, members } from './method.ts';

/** Digests are for what is there now: a client that keeps an entry longer would only have to ask again. */
const entryTtlMs = 0;

const list: Method = {
  era: 'stateless',
  async run(exchange, { registry, lists }) {
    const found = await registry.run('skills/list', exchange, () =>
      Promise.all(registry.skills().map((source) => source.list(exchange))),
    );
    const entries = found.flat().map((skill) => ({ key: skill.uri, json: skill }));
    return cacheable(exchange, lists.write('skills', entries, exchange.params.cursor));
  },
};

const get: Method = {
  era: 'stateless',
  async run(exchange, protocol) {
    const uri = uriOf(exchange);
    const skill = await findSkill(uri, exchange, protocol);
    if (!skill) throw invalidParams(`Cannot get skill "${uri}": no skill is served there`);
    return cacheable(exchange, members({ skill }), entryTtlMs);
  },
};

const readDirectory: Method = {
  era: 'stateless',
  async run(exchange, protocol) {
    const uri = uriOf(exchange);
    // The skill's own folder is the shortest part of the address that has a SKILL.md.
    const [, scheme = '', path = ''] = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/.exec(uri) ?? [];
    const segments = path.split('/').slice(0, deepest);
    let children: ReturnType<typeof listDirectory> = [];
    for (let length = 1; length <= segments.length && children.length === 0; length++) {
      const root = `${scheme}${segments.slice(0, length).join('/')}`;
      const skill = await findSkill(`${root}/${skillFile}`, exchange, protocol);
      if (skill) children = listDirectory(skill, uri);
    }
    if (children.length === 0) throw invalidParams(`Cannot read "${uri}": it is not a directory`);
    const entries = children.map((child) => ({ key: child.uri, json: projectResource(child, exchange.revision) }));
    return protocol.lists.write('resources', entries, exchange.params.cursor);
  },
};

const deepest = 32;

async function findSkill(uri: string, exchange: Exchange, { registry }: Protocol): Promise<Skill | undefined> {
  return registry.run(`skill ${uri}`, exchange, async () => {
    for (const source of registry.skills()) {
      const skill = await source.get(uri, exchange);
      if (skill) return skill;
    }
    return undefined;
  });
}

function uriOf({ params }: Exchange): string {
  if (typeof params.uri !== 'string') throw invalidParams('params.uri must be a string');
  return params.uri;
}

const knownWithinMs = 1_000;

/** To clients that do not know the extension, the SKILL.md of each is a resource among others. */
export function listSkillFiles(exchange: Exchange, { registry }: Protocol): Soon<Entry[]> {
  const known = registry.skills().map((source) => source.known(exchange));
  if (!known.some((skills) => skills instanceof Promise)) return known.flatMap((skills) => tell(skills as Skill[]));
  // A database that fails or is away now must not take the other resources along.
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve([]), knownWithinMs);
    const end = (entries: Entry[]) => {
      clearTimeout(late);
      resolve(entries);
    };
    Promise.all(known).then(
      (found) => end(found.flatMap(tell)),
      () => end([]),
    );
  });

  function tell(skills: readonly Skill[]): Entry[] {
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
