// Skills of a mounted server, for clients that see this server alone. Elsewhere they are not offered: they are instructions, and nobody
// reviews them.
import type { Params } from '../../client/session.ts';
import { UpstreamFailure } from '../../client/wire.ts';
import { LoreError } from '../../core/error.ts';
import { isObject } from '../../core/schema.ts';
import type { Skill, SkillSource } from '../../core/skill.ts';
import type { Gateway } from './gateway.ts';

const extension = 'io.modelcontextprotocol/skills';
const mostPages = 100;

export function createMountSkills(gateway: () => Promise<Gateway>, name: string): SkillSource {
  /** Undefined if the server has no skills, or not this one. */
  async function ask(method: string, params: Params): Promise<Params | undefined> {
    const { store, request } = await gateway();
    const state = store.get(name);
    const { extensions } = state.listing?.server.capabilities ?? {};
    if (!isObject(extensions) || !(extension in extensions)) return undefined;
    try {
      return await request(state, method, params, { isRepeatable: true });
    } catch (error) {
      if (error instanceof UpstreamFailure) return undefined;
      throw error;
    }
  }
  return {
    async list() {
      const found: Skill[] = [];
      let cursor: unknown;
      for (let page = 0; page < mostPages; page++) {
        const result = await ask('skills/list', cursor === undefined ? {} : { cursor });
        const skills = Array.isArray(result?.skills) ? result.skills : [];
        found.push(...skills.filter(isSkill));
        cursor = result?.nextCursor;
        if (typeof cursor !== 'string' || cursor === '') return found;
      }
      throw new LoreError('limit_exceeded', `Cannot list the skills of "${name}": the list has too many pages`);
    },
    async get(uri) {
      const skill = (await ask('skills/get', { uri }))?.skill;
      return isSkill(skill) ? skill : undefined;
    },
    // Listed by the server among its resources.
    known: () => [],
  };
}

function isSkill(value: unknown): value is Skill {
  return (
    isObject(value) && typeof value.uri === 'string' && isObject(value.frontmatter) && Array.isArray(value.resources)
  );
}
