// Projects of persons on other machines. Their folders are not here, so a project is its name, which all persons share; if
// tokens name teams, the name begins with one of the person's.
import type { Caller, CallerIdentity } from '../../core/call.ts';
import { hashHex } from '../../core/crypto.ts';
import { LoreError } from '../../core/error.ts';
import type { PermissionLevel } from '../../core/registry/permission.ts';
import type { openPerson } from './scope.ts';
import { identifyPerson } from './user.ts';

const prefix = 'shared:';
const pattern = /^\w[\w.@:-]*(?:\/[\w.@:-]+)*$/;
const maxName = 200;

export function describePerson(
  { id: actor, project }: Caller,
  identity: CallerIdentity,
  others: PermissionLevel,
): Parameters<typeof openPerson>[1] {
  return {
    actor,
    others,
    user: identifyPerson(identity.person),
    isShared: ({ id, name }) => id.startsWith(prefix) && isOfTeam(name, identity),
    shared: project === undefined ? undefined : { id: nameShared(project), name: project },
  };
}

/** Returns the name, or throws if the person may not use such a project. */
export function checkShared(name: string, identity: CallerIdentity): string {
  if (name.length > maxName || !pattern.test(name)) {
    throw new LoreError('invalid_input', `Cannot use project "${name.slice(0, maxName)}": it is not the name of one`, {
      hint: 'Use a name such as shop or team/shop. Folders of your machine are not on the server.',
    });
  }
  if (isOfTeam(name, identity)) return name;
  throw new LoreError('forbidden', `Cannot use project "${name}": it belongs to another team`, {
    hint: `Your projects begin with ${identity.teams?.map((team) => `${team}/`).join(' or ') || 'the name of a team, and you are in none'}.`,
  });
}

function isOfTeam(name: string, { teams }: CallerIdentity): boolean {
  return teams === undefined || teams.some((team) => name.toLowerCase().startsWith(`${team.toLowerCase()}/`));
}

function nameShared(name: string): string {
  return `${prefix}${hashHex(name.toLowerCase()).slice(0, 16)}`;
}
