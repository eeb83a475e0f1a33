// Drawing the map: files by importance, each with the definitions that others use most, until the budget is used up.
import { estimateTokens } from '../../../core/text/budget.ts';
import { countFolders, listByImportance, listNodes, readIndexState } from '../../../graph/derived/read.ts';
import type { Node } from '../../../graph/node.ts';
import type { OpenTree } from '../context.ts';
import { noteIndex, notIndexedError } from './index-note.ts';
import { type MapAnswer, type MappedFile, weighFile } from './map-tool.ts';

const filesAtOnce = 40;
const mostSymbols = 8;
const longestSignature = 120;
const mostFolders = 25;

export async function drawMap(place: OpenTree, under: string, budget: number): Promise<MapAnswer> {
  const { opened } = place.scope;
  const project = place.scope.project.tree;
  const state = await readIndexState(opened, project);
  if (state.state === 'none') throw notIndexedError('draw a map', place.name);
  const folder = under.replace(/^\.?\/+|\/+$/g, '').replace(/^\.$/, '');
  const { files, folders, languages } = await countFolders(opened, project, folder);
  const shown = folders.slice(0, mostFolders);
  let left = budget - estimateTokens(JSON.stringify([shown, languages])) / 2;
  const map: MappedFile[] = [];
  for (let offset = 0; left > 0; offset += filesAtOnce) {
    const page = await listByImportance(opened, project, folder, filesAtOnce, offset);
    for (const file of await describe(place, page)) {
      const tokens = weighFile(file);
      if (tokens > left && map.length > 0) {
        left = 0;
        break;
      }
      map.push(file);
      left -= tokens;
    }
    if (page.length < filesAtOnce) break;
  }
  return {
    repository: place.name,
    files,
    folders: shown,
    languages: Object.fromEntries(Object.entries(languages).slice(0, 12)),
    map,
    left_out: Math.max(0, files - map.length),
    index: noteIndex(state),
  };
}

async function describe({ scope: { opened } }: OpenTree, files: readonly Node[]): Promise<MappedFile[]> {
  const nodes = await listNodes(
    opened,
    files.map(({ id }) => id),
  );
  const all = new Map<string, Node>();
  for (const own of nodes.values()) {
    for (const node of await opened.graph.getAll(own.slice(1, 400))) all.set(node.id, node);
  }
  return files.map((file) => {
    const symbols = (nodes.get(file.id) ?? []).flatMap((id) => all.get(id) ?? []);
    return { ...viewFile(file), symbols: chooseSymbols(symbols) };
  });
}

function viewFile({ data, text }: Node): Pick<MappedFile, 'path' | 'lines' | 'about'> {
  const second = text.split('\n')[1]?.trim() ?? '';
  // Names are listed below, so only a sentence adds something.
  const about = /\s\w+\s/.test(second) && !/^\w+(?:, \w+)*$/.test(second) ? second.slice(0, 120) : undefined;
  return { path: String(data.path), lines: Number(data.lines), ...(about !== undefined && { about }) };
}

/** The most used symbols, in the order of the file. */
function chooseSymbols(symbols: readonly Node[]): MappedFile['symbols'] {
  const worth = ({ data, importance }: Node) => importance + (data.exported ? 0.2 : 0) + (isOuter(data) ? 0.2 : 0);
  return symbols
    .filter(({ data }) => data.symbol !== 'field' && data.symbol !== 'variable')
    .sort((a, b) => worth(b) - worth(a))
    .slice(0, mostSymbols)
    .sort((a, b) => Number(a.data.start) - Number(b.data.start))
    .map(({ data, text }) => ({
      name: String(data.qualified),
      signature: (text.split('\n')[0] as string).slice(0, longestSignature),
      line: Number(data.start),
    }));
}

function isOuter(data: Node['data']): boolean {
  return !String(data.qualified).includes('.');
}
