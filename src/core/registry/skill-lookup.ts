// Finds skills for a caller. Skills from sources that the caller may not read are not listed, and reading one is refused.
import type { Soon } from '../attempt.ts';
import type { Call } from '../call.ts';
import { listDirectory, type Skill, type SkillSource, skillFile } from '../skill.ts';
import type { Entrance, Owner } from './door.ts';
import { createPlainEntrance } from './entrance.ts';
import type { Registry } from './registry.ts';

export function listSkills(registry: Registry, call: Call): Soon<Skill[]> {
  return registry.enter({ name: 'skills/list', action: 'list skills', call }, () =>
    createListEntrance(async () => {
      const lists = await Promise.all(openSources(registry, call).sources.map((source) => source.list(call)));
      return lists.flat();
    }),
  );
}

/** Skills that can be listed without opening a database; synchronous if all of them can. */
export function listKnownSkills(registry: Registry, call: Call): Soon<Skill[]> {
  return registry.enter({ name: 'resources/list', action: 'list resources', call }, () =>
    createListEntrance(() => {
      const known = openSources(registry, call).sources.map((source) => source.known(call));
      const isThere = (skills: Soon<readonly Skill[]>): skills is readonly Skill[] => !(skills instanceof Promise);
      return known.every(isThere) ? known.flat() : Promise.all(known).then((lists) => lists.flat());
    }),
  );
}

/** Skills that may not be read are omitted instead of refused; a list is sent in small pages. */
function createListEntrance(run: () => Soon<Skill[]>): Entrance<void, Skill[], Skill[]> {
  return { ...createPlainEntrance([], run), sent: () => undefined };
}

export function getSkill(registry: Registry, uri: string, call: Call): Soon<Skill | undefined> {
  return registry.enter({ name: `skill ${uri}`, action: `get skill "${uri}"`, call }, () => {
    const { sources, owners } = openSources(registry, call);
    return createPlainEntrance(owners, () => findSkill(sources, uri, call));
  });
}

const deepest = 32;

/** The direct content of a folder of a skill; undefined if it does not exist. */
export function readSkillFolder(registry: Registry, uri: string, call: Call): Soon<ReturnType<typeof listDirectory>> {
  return registry.enter({ name: `folder ${uri}`, action: `read "${uri}"`, call }, () => {
    const { sources, owners } = openSources(registry, call);
    return createPlainEntrance(owners, async () => {
      // The skill's own folder is the shortest prefix of the address with a SKILL.md.
      const [, scheme = '', path = ''] = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/.exec(uri) ?? [];
      const segments = path.split('/').slice(0, deepest);
      for (let length = 1; length <= segments.length; length++) {
        const root = `${scheme}${segments.slice(0, length).join('/')}`;
        const skill = await findSkill(sources, `${root}/${skillFile}`, call);
        const children = skill ? listDirectory(skill, uri) : [];
        if (children.length > 0) return children;
      }
      return [];
    });
  });
}

async function findSkill(sources: readonly SkillSource[], uri: string, call: Call): Promise<Skill | undefined> {
  for (const source of sources) {
    const skill = await source.get(uri, call);
    if (skill) return skill;
  }
  return undefined;
}

/** The sources that the caller may read; if there is none, the owner whose permission refuses the call. */
function openSources(registry: Registry, { caller }: Call): { sources: SkillSource[]; owners: Owner[] } {
  const all = registry.offered('skills');
  const sources = all.filter(({ owner }) => registry.allows(owner, caller)).map(({ entry }) => entry);
  return { sources, owners: sources.length > 0 ? [] : all.slice(0, 1).map(({ owner }) => owner) };
}
