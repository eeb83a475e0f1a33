// Stores mentioned entities as nodes, shared by all texts of a project.
import { runNow } from '../../core/steps.ts';
import { createNode, digest, skim } from '../create-node.ts';
import type { Edge, Node } from '../node.ts';
import { extractEntities } from './entity.ts';

interface Mentioned {
  entities: Node[];
  edges: Edge[];
}

export function findMentioned(nodes: readonly Node[], at: number): Mentioned {
  const entities = new Map<string, Node>();
  const edges = new Map<string, Edge>();
  for (const { id: from, project, kind: own, title, text } of nodes) {
    if (own === 'entity') continue;
    for (const { kind, name } of extractEntities(`${title}\n${skim(text)}`)) {
      const to = nameEntity(project, kind, name);
      const entity = runNow(createNode({ id: to, project, kind: 'entity', title: name, text: kind }, at));
      if (!entities.has(to)) entities.set(to, { ...entity, data: { entity: kind } });
      edges.set(`${from} ${to}`, { from, kind: 'mentions', to, project, weight: 1, data: {}, createdAt: at });
    }
  }
  return { entities: [...entities.values()], edges: [...edges.values()] };
}

export function nameEntity(project: string, kind: string, name: string): string {
  return `ent_${digest([project, kind, name]).slice(0, 24)}`;
}
