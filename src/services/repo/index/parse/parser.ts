// Parses text: one parser for all languages, grammars loaded on first use. If parsing takes too long, the file is indexed by its
// words alone.
import { Language as Grammar, type Node, Parser, Query, type Range, type Tree } from 'web-tree-sitter';
import { readCompressedAsset } from '../../../../core/asset.ts';
import type { Language } from '../language/language.ts';
import { extractFacts } from './extract.ts';
import type { FileFacts } from './facts.ts';

export interface CodeParser {
  /** Undefined if the text cannot be parsed in time. */
  parse(text: string, language: Language): Promise<FileFacts | undefined>;
}

const longestParseMs = 3_000;
const deepestTree = 500;
const sampleEvery = 4_096;
const mostUnread = 300;
/** Unparsed text may be nested. */
const deepestUnread = 3;
const item = /\b(?:fn|struct|enum|union|trait|impl|mod|const|static|type)\s+[\w<]/;

interface Loaded {
  grammar: Grammar;
  query: Query;
  unread: Query | undefined;
}

export async function createCodeParser(): Promise<CodeParser> {
  await Parser.init();
  const parser = new Parser();
  const loaded = new Map<string, Promise<Loaded>>();
  const load = (language: Language) => {
    const known = loaded.get(language.name) ?? open(language);
    loaded.set(language.name, known);
    return known;
  };

  function read(text: string, until: number, includedRanges?: Range[]): Tree | undefined {
    const progressCallback = () => performance.now() > until;
    const tree = parser.parse(text, undefined, { progressCallback, ...(includedRanges && { includedRanges }) });
    if (!tree) parser.reset();
    return tree ?? undefined;
  }

  /** Parses text that the grammar left unparsed in another tree. Positions are those of the whole text. */
  function readInner(tree: Tree, own: Loaded, text: string, until: number, depth = 1): Tree[] {
    const { unread } = own;
    if (!unread || depth > deepestUnread) return [];
    const found: Tree[] = [];
    for (const { node } of unread.captures(tree.rootNode).slice(0, mostUnread)) {
      const inside = text.slice(node.startIndex + 1, node.endIndex - 1);
      if (text[node.startIndex] !== '{' || !item.test(inside)) continue;
      const inner = read(text, until, [withoutBraces(node)]);
      if (inner) found.push(inner, ...readInner(inner, own, text, until, depth + 1));
    }
    return found;
  }

  return {
    async parse(text, language) {
      const own = await load(language);
      parser.setLanguage(own.grammar);
      const until = performance.now() + longestParseMs;
      const tree = read(text, until);
      if (!tree) return undefined;
      if (isTooDeep(tree, text.length)) {
        tree.delete();
        return undefined;
      }
      const trees = [tree, ...readInner(tree, own, text, until)];
      try {
        const roots = trees.map(({ rootNode }) => rootNode);
        return extractFacts(roots, own.query, text, language);
      } finally {
        for (const one of trees) one.delete();
      }
    },
  };
}

/** The cost of a query grows with the square of the depth, and real code is not that deep. Checked at samples. */
function isTooDeep(tree: Tree, length: number): boolean {
  const cursor = tree.walk();
  try {
    for (let at = 0; at < length; at += sampleEvery) {
      cursor.reset(tree.rootNode);
      for (let depth = 0; cursor.gotoFirstChildForIndex(at); depth++) if (depth > deepestTree) return true;
    }
    return false;
  } finally {
    cursor.delete();
  }
}

function withoutBraces({ startIndex, endIndex, startPosition, endPosition }: Node): Range {
  return {
    startIndex: startIndex + 1,
    endIndex: endIndex - 1,
    startPosition: { row: startPosition.row, column: startPosition.column + 1 },
    endPosition: { row: endPosition.row, column: endPosition.column - 1 },
  };
}

async function open(language: Language): Promise<Loaded> {
  const grammar = await Grammar.load(readCompressedAsset(`grammars/${language.grammar}.wasm`));
  const unread = language.unread === undefined ? undefined : new Query(grammar, language.unread);
  return { grammar, query: new Query(grammar, language.query), unread };
}
