// The journal service: where the work stood, which errors were solved and how, procedures that worked, and collected
// documents.
import type { Service } from '../../core/service.ts';
import type { GraphAccess } from '../../graph/access.ts';
import type { Folders } from '../../graph/project/grant.ts';
import { createAdviser } from './advise.ts';
import { announceNodes } from './announce.ts';
import { createCheckpointResources, createCheckpointTemplates } from './checkpoint/resources.ts';
import { createCheckpointTools } from './checkpoint/tools.ts';
import { handleIngest } from './collection/ingest.ts';
import { createCollectionTools } from './collection/tools.ts';
import { createJournalContext } from './context.ts';
import { head } from './head.ts';
import { createRemediationTools } from './remediation/tools.ts';
import { createSkillPrompts, createSkillSource, createSkillTemplates } from './skill/source.ts';
import { createSkillTools } from './skill/tools.ts';
import { createTroubleshootTool } from './troubleshoot/troubleshoot.ts';

export function createJournalService(access: GraphAccess, folders: Folders): Service {
  const context = createJournalContext(folders);
  const tools = [
    ...createCheckpointTools(context),
    ...createRemediationTools(context),
    createTroubleshootTool(context),
    ...createSkillTools(context),
    ...createCollectionTools(context),
  ];
  handleIngest(access);
  access.whenOpen(({ changes }) => changes.listen((nodes) => announceNodes(context, nodes)));
  return {
    ...head,
    kinds: {
      checkpoint: 'checkpoint_search',
      remediation: 'remediation_search',
      skill: 'skill_search',
      collection: 'collection_search',
      document: 'collection_search',
      chunk: 'collection_search',
    },
    tools: () => tools,
    resources: () => createCheckpointResources(context),
    templates: () => [...createCheckpointTemplates(context), ...createSkillTemplates(context)],
    prompts: () => createSkillPrompts(context),
    skills: createSkillSource(context, access),
    start(host) {
      context.start(host);
      host.advise(createAdviser(context));
    },
  };
}
