// Syntax trees of source files, with the grammars of the code index. A file that takes too long to parse has no tree.
import { Language, type Node, Parser } from 'web-tree-sitter';
import { readCompressedAsset } from '../../../core/asset.ts';

const longestParseMs = 2_000;
const grammars = new Map<string, Promise<Language>>();
let starting: Promise<Parser> | undefined;

/** Calls back with the root of the tree, which is gone afterwards. */
export async function withTree<T>(text: string, grammar: string, read: (root: Node) => T): Promise<T | undefined> {
  starting ??= Parser.init().then(() => new Parser());
  const parser = await starting;
  const language = grammars.get(grammar) ?? Language.load(readCompressedAsset(`grammars/${grammar}.wasm`));
  grammars.set(grammar, language);
  parser.setLanguage(await language);
  const until = performance.now() + longestParseMs;
  const tree = parser.parse(text, undefined, { progressCallback: () => performance.now() > until });
  if (!tree) {
    parser.reset();
    return undefined;
  }
  try {
    return read(tree.rootNode);
  } finally {
    tree.delete();
  }
}

export function childrenOf(node: Node | null | undefined): Node[] {
  return (node?.namedChildren ?? []).filter((child) => child !== null);
}

/** A literal as JSON; undefined for anything else. */
export function readLiteral(text: string): string | number | boolean | null | undefined {
  const plain = text.trim();
  if (/^(?:true|True)$/.test(plain)) return true;
  if (/^(?:false|False)$/.test(plain)) return false;
  if (/^(?:null|None)$/.test(plain)) return null;
  if (/^-?\d+(?:\.\d+)?$/.test(plain)) return Number(plain);
  const [, , quoted] = /^(["'`])((?:(?!\1)[^\\\n])*)\1$/.exec(plain) ?? [];
  return quoted;
}
