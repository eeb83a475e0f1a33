// Links files to each other: imports, calls, references, tests, documents. A file is linked after it was read and again after a
// change.
import { posix } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Deriving, PlainEdge } from '../../../../graph/derived/derived.ts';
import { type FileLinks, replaceLinks } from '../../../../graph/derived/link.ts';
import {
  type DerivedName,
  findNames,
  type LinkedFile,
  listDerived,
  listUnlinked,
} from '../../../../graph/derived/read.ts';
import { languages } from '../language/languages.ts';
import { nameFile } from '../names.ts';
import type { CallFacts, LinkFacts } from '../parse/facts.ts';
import { type CallSite, resolveCall } from './calls.ts';
import { resolveImport } from './imports.ts';
import { createPathIndex, isTestPath, type PathIndex } from './path-index.ts';

const filesAtOnce = 200;

const families = new Map(languages.map(({ name, family }) => [name, family ?? name]));

export async function linkFiles(
  deriving: Deriving,
  signal: AbortSignal,
  report: (more: number) => Promise<void>,
): Promise<number> {
  const { store, project } = deriving;
  let paths: PathIndex | undefined;
  const names = new Map<string, DerivedName[]>();
  for (let done = 0; ; ) {
    signal.throwIfAborted();
    const files = await listUnlinked(store, project, filesAtOnce);
    if (files.length === 0) return done;
    paths ??= await readPaths(deriving);
    const facts = files.map(({ links }) => JSON.parse(links) as LinkFacts);
    await learnNames(deriving, facts, names);
    const linked = files.map((file, at) => tie(project, file, facts[at] as LinkFacts, names, paths as PathIndex));
    await replaceLinks(deriving, linked);
    done += files.length;
    await report(files.length);
    await nextTurn();
  }
}

async function readPaths(deriving: Deriving): Promise<PathIndex> {
  const paths: string[] = [];
  for await (const { path } of listDerived(deriving, deriving.project)) paths.push(path);
  return createPathIndex(paths);
}

/** Of each name that is called, all definitions; each name is asked for once. */
async function learnNames(deriving: Deriving, facts: readonly LinkFacts[], names: Map<string, DerivedName[]>) {
  const wanted = new Set<string>();
  for (const { calls, parents, imports, mentions } of facts) {
    for (const [, name] of calls) wanted.add(name.toLowerCase());
    for (const [, name] of parents) wanted.add(name.toLowerCase());
    for (const { names: own } of imports)
      for (const [local, original] of own) wanted.add((original === 'default' ? local : original).toLowerCase());
    for (const mention of mentions) wanted.add(lastPart(mention).toLowerCase());
  }
  const missing = [...wanted].filter((name) => !names.has(name));
  for (const name of missing) names.set(name, []);
  for (const found of await findNames(deriving, deriving.project, missing))
    names.get(found.name.toLowerCase())?.push(found);
}

function tie(
  project: string,
  file: LinkedFile,
  facts: LinkFacts,
  names: CallSite['names'],
  paths: PathIndex,
): FileLinks {
  const { id, path, language, nodes, isTied } = file;
  const family = families.get(language) ?? language;
  const edges: PlainEdge[] = [];
  const isTest = isTestPath(path);
  const around: Mutable = { path, family, names, imported: new Map(), aliases: new Map(), open: new Set([path]) };
  for (const target of readImports(facts, around, paths)) {
    edges.push({ from: id, kind: 'imports', to: nameFile(project, target) });
    if (isTest && !isTestPath(target)) edges.push({ from: id, kind: 'tests', to: nameFile(project, target) });
  }
  const add = ([owner, name, on]: CallFacts, kind: 'calls' | 'references') => {
    const from = owner < 0 ? id : (nodes[owner + 1] ?? id);
    const found = resolveCall(name, on, facts.owners[owner] ?? '', around);
    if (!found || found.id === from) return;
    edges.push({ from, kind, to: found.id });
    if (isTest && !isTestPath(found.path)) edges.push({ from: id, kind: 'tests', to: found.id });
  };
  for (const call of facts.calls) add(call, 'calls');
  for (const parent of facts.parents) add(parent, 'references');
  for (const name of around.imported.keys()) add([-1, name], 'references');
  return { id, nodes, edges, isTied, documents: findDocumented(project, facts.mentions, path, names, paths) };
}

type Mutable = CallSite & {
  imported: Map<string, { files: readonly string[]; original: string }>;
  aliases: Map<string, readonly string[]>;
  open: Set<string>;
};

/** The files that are imported; what their names mean goes to `around`. */
function readImports({ imports }: LinkFacts, around: Mutable, paths: PathIndex): Set<string> {
  const targets = new Set<string>();
  const { path, family } = around;
  for (const { from, names, alias } of imports) {
    const files = resolveImport(family, from, path, paths);
    for (const file of files) targets.add(file);
    for (const [local, original] of names) {
      const inside =
        family === 'python'
          ? resolveImport(family, `${from.endsWith('.') ? from : `${from}.`}${original}`, path, paths)
          : [];
      // From a package, a module may be imported as well as a name.
      if (inside.length > 0) {
        around.aliases.set(local, inside);
        for (const file of inside) targets.add(file);
      } else around.imported.set(local, { files, original });
    }
    if (files.length === 0) continue;
    const last = alias ?? lastPart(from);
    if (alias !== undefined || names.length === 0) around.aliases.set(last, files);
    if (names.length === 0 && family !== 'go' && family !== 'ecmascript')
      for (const file of files) around.open.add(file);
  }
  return targets;
}

const lastPart = (from: string) =>
  from
    .split(/[/.\\]|::/)
    .filter((part) => part !== '')
    .at(-1) ?? from;

/** Ids of what a document mentions: a file by its path, a definition by a unique name. */
function findDocumented(
  project: string,
  mentions: readonly string[],
  path: string,
  names: CallSite['names'],
  paths: PathIndex,
): string[] {
  const found = new Set<string>();
  for (const mention of mentions) {
    const file =
      paths.first([posix.join(posix.dirname(path), mention), mention.replace(/^\.?\//, '')]) ??
      (/[/.]/.test(mention) ? paths.endingWith(mention, path) : undefined);
    if (file !== undefined && file !== path) found.add(nameFile(project, file));
    if (file !== undefined) continue;
    const name = lastPart(mention);
    const all = (names.get(name.toLowerCase()) ?? []).filter(
      (one) => one.name === name && one.kind !== 'heading' && one.kind !== 'field',
    );
    const meant = mention.includes('.') ? all.filter(({ qualified }) => qualified.endsWith(mention)) : all;
    if (meant.length === 1 && name.length >= 4) found.add((meant[0] as DerivedName).id);
  }
  return [...found];
}
