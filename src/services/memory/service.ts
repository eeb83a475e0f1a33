// The memory service: stores what agents learn and recalls it for all of them.
import { alwaysLearning, type LearningRules } from '../../core/learning.ts';
import type { Service } from '../../core/service.ts';
import type { GraphAccess } from '../../graph/access.ts';
import type { Folders } from '../../graph/project/grant.ts';
import { purgeKind } from '../../graph/purge/job.ts';
import { createAutoSync } from './auto-sync.ts';
import { createCleanupTool } from './cleanup.ts';
import { createContainingTool } from './containing.ts';
import { createMemoryContext } from './context.ts';
import { createEditTool } from './edit.ts';
import { createEnhanceTool } from './enhance.ts';
import { createActivityTool, createEntryListTool } from './entries.ts';
import { createForgetTool } from './forget.ts';
import { head } from './head.ts';
import { createInitTool } from './init.ts';
import { createLearnTool, learnKind } from './learn.ts';
import { createMoveTool } from './move.ts';
import { createProjectTool } from './project.ts';
import { createProjectChangeTool, createProjectListTool } from './project-admin.ts';
import { createPrompts } from './prompts.ts';
import { createPurgeTool, performPurge } from './purge.ts';
import { createRecallTool } from './recall.ts';
import { createRecentTool } from './recent.ts';
import { createRememberTool } from './remember.ts';
import { createResources, createTemplates } from './resources.ts';
import { createShareTool } from './share.ts';
import { createStatsTool } from './stats.ts';
import { performSync, type SyncSettings, syncKind } from './sync.ts';

export function createMemoryService(
  access: GraphAccess,
  folders: Folders,
  rules: LearningRules = alwaysLearning,
  sync?: SyncSettings,
): Service {
  const autoSync = createAutoSync(() => sync?.minutes() ?? 0);
  const context = createMemoryContext(folders, autoSync.note);
  const tools = [
    createRememberTool(context),
    createRecallTool(context),
    createLearnTool(context, rules),
    createEnhanceTool(context),
    createRecentTool(context),
    createProjectTool(context),
    createProjectListTool(context),
    createProjectChangeTool(context),
    createStatsTool(context),
    createEntryListTool(context),
    createActivityTool(context),
    createCleanupTool(context),
    createInitTool(context),
    createForgetTool(context),
    createEditTool(context),
    createMoveTool(context),
    createShareTool(context),
    createContainingTool(context),
    createPurgeTool(context),
  ];
  access.whenOpen((opened) => {
    opened.changes.listen((nodes) => {
      const ids = nodes.filter(({ kind }) => kind === 'memory').map(({ id }) => id);
      if (ids.length > 0) context.changed(...ids);
    });
    opened.worker.handle(purgeKind, (work) => performPurge(opened, work));
    if (sync) {
      opened.worker.handle(syncKind, async (work) => {
        const done = await performSync(opened, work, sync);
        const all = [{ removed: 0, ...done.reviewed }, ...done.synced];
        if (all.some(({ stored, changed, removed }) => stored + changed + removed > 0)) context.changed();
        return done;
      });
    }
    opened.worker.handle(learnKind, async (work) => {
      const { learn, readLearner } = await import('./learning.ts');
      const learned = await learn(await readLearner(opened, work.operation), work);
      context.changed(...learned.kept.map(({ id }) => id));
      return learned;
    });
  });
  return {
    ...head,
    kinds: { memory: 'recall', commit: 'recall' },
    tools: () => tools,
    resources: () => createResources(context),
    templates: () => createTemplates(context),
    prompts: () => createPrompts(context),
    start(host) {
      context.start(host);
      autoSync.start();
    },
    stop() {
      autoSync.stop();
      return context.stop();
    },
  };
}
