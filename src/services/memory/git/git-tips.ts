// The last synced commit of each branch, stored in the graph: clones and worktrees of one project share it.
import { amendNode } from '../../../graph/amend.ts';
import { nameNode, type Scope } from '../../../graph/project/scope.ts';

interface Tips {
  /** The last synced commit of a branch. */
  of(branch: string): string | undefined;
  commits(): string[];
  set(branch: string, commit: string): Promise<void>;
}

interface Tip {
  branch: string;
  commit: string;
}

/** More branches are rarely in use; dropping one only means that known commits are read again. */
const maxTips = 50;

export async function openTips({ opened, project, actor }: Scope): Promise<Tips> {
  const { graph } = opened;
  const id = nameNode('syn', project.id, 'git');
  let tips = readTips((await graph.get(id))?.data.tips);
  const find = (branch: string) => tips.find((tip) => tip.branch === branch)?.commit;
  return {
    of: find,
    commits: () => [...new Set(tips.map(({ commit }) => commit))],
    async set(branch, commit) {
      if (find(branch) === commit) return;
      await graph.ensure({ id, project: project.id, kind: 'sync', title: 'git', text: '' });
      // Another process may have synced another branch meanwhile.
      await amendNode(opened, id, actor, ({ data }) => {
        const others = readTips(data.tips).filter((tip) => tip.branch !== branch);
        tips = [{ branch, commit }, ...others].slice(0, maxTips);
        return { data: { ...data, tips } };
      });
    },
  };
}

function readTips(value: unknown): Tip[] {
  return Array.isArray(value) ? value.filter((tip) => /^[0-9a-f]{40,64}$/.test(tip?.commit)) : [];
}
