// A subgraph for a person at a terminal: the nodes, then the edges between them.
import { countOf, hangText, inOneLine, joinFacts, type Style } from '../../core/text/terminal.ts';

interface Subgraph {
  nodes: readonly { id: string; kind: string; title?: string | undefined; text: string; score: number; why: string }[];
  edges: readonly { from: string; kind: string; to: string }[];
}

/** A node's name among edges. */
const longestName = 48;

export function showPicture({ nodes, edges }: Subgraph, style: Style): string {
  const { bold, dim, width } = style;
  if (nodes.length === 0) return 'Nothing is known about that.';
  const places = String(nodes.length).length;
  const lines = nodes.flatMap(({ id, kind, title, text, score, why }, at) => {
    const number = `${String(at + 1).padStart(places)}. `;
    const indent = ' '.repeat(number.length);
    const words = [title, text].filter((part) => part !== undefined && part !== '').join('\n');
    const facts = joinFacts([kind, why, id, `score ${score.toFixed(2)}`], width - indent.length);
    return [...hangText(number, words, width), ...facts.map((line) => indent + dim(line))];
  });
  if (edges.length === 0) return lines.join('\n');
  const names = new Map(nodes.map((node) => [node.id, nameOf(node)]));
  const ties = edges.flatMap(({ from, kind, to }) => {
    const tie = `${names.get(from) ?? from} —${inOneLine(kind)}→ ${names.get(to) ?? to}`;
    return hangText('  ', tie, width);
  });
  return [...lines, '', bold(countOf(edges.length, 'relation')), ...ties].join('\n');
}

function nameOf({ title, text, id }: Subgraph['nodes'][number]): string {
  const name = inOneLine(title || text) || id;
  return name.length <= longestName ? name : `${name.slice(0, longestName - 1).trimEnd()}…`;
}
