// The features of each file: from 0 to 1, relative to the best of the same query if there is no absolute measure, so that the
// weights are comparable between queries and repositories.
import type { Paths } from './paths.ts';
import type { CodeQuestion } from './question.ts';

/** The evidence for a query, by index of the path. */
export interface Evidence {
  paths: Paths;
  /** By the words of whole files; those without any may be missing. */
  words: ReadonlyMap<number, number>;
  titleWords: ReadonlyMap<number, number>;
  /** By the words of single definitions, beside how the question begins: each file's best. */
  parts: ReadonlyMap<number, number>;
  /** Where the names that the question has are defined. */
  definitions: ReadonlyMap<string, readonly number[]>;
  /** Undefined without a history. */
  past?: Past | undefined;
}

/** By the words of commit messages. */
export interface Past {
  words: ReadonlyMap<number, number>;
  titleWords: ReadonlyMap<number, number>;
}

export const featureNames = [
  'words',
  'titleWords',
  'part',
  'path',
  'titleName',
  'mentioned',
  'frame',
  'module',
  'defines',
  'aside',
  'past',
  'titlePast',
] as const;

export type Feature = (typeof featureNames)[number];
export type Features = Record<Feature, number>;

/** Features without an absolute measure. */
const measuredBeside: readonly Feature[] = ['words', 'titleWords', 'part', 'path', 'past', 'titlePast'];
/** Features in which only the best result matters. */
const squared: readonly Feature[] = ['titleWords', 'part'];

/** A name that this many files define says nothing. */
const mostDefining = 20;

const aside =
  /(?:^|\/)(?:docs?|website|examples?|benchmarks?|bench|benches|scripts?|tools?|samples?|demos?|playgrounds?|tutorials?|vendor|extern|third_party|deps)\//i;

/** Features of every file with any evidence. */
export function measureFiles(question: CodeQuestion, evidence: Evidence): Map<number, Features> {
  const { paths } = evidence;
  const found = new Map<number, Features>();
  const of = (at: number): Features => {
    let own = found.get(at);
    if (!own) {
      own = Object.fromEntries(featureNames.map((name) => [name, 0])) as Features;
      found.set(at, own);
    }
    return own;
  };
  for (const name of ['words', 'titleWords'] as const) {
    for (const [at, score] of evidence[name]) of(at)[name] = score;
  }
  for (const [at, score] of evidence.parts) of(at).part = score;
  for (const mention of question.mentions.paths) {
    for (const [at, share] of paths.matchPath(mention)) of(at).mentioned = Math.max(of(at).mentioned, share);
  }
  for (const [at, share] of matchFrames(question.mentions.frames, paths)) of(at).frame = share;
  for (const { parts, weight } of question.mentions.modules) {
    for (const [at, share] of paths.matchModule(parts)) of(at).module = Math.max(of(at).module, share * weight);
  }
  for (const { name, weight } of question.mentions.names) {
    const places = evidence.definitions.get(name) ?? [];
    if (places.length > mostDefining) continue;
    for (const at of places) of(at).defines = Math.max(of(at).defines, weight / places.length);
  }
  for (const [at, own] of found) {
    measurePath(question, paths, at, own);
    // Words of earlier changes count only together with current content.
    own.past = evidence.past?.words.get(at) ?? 0;
    own.titlePast = evidence.past?.titleWords.get(at) ?? 0;
  }
  for (const name of measuredBeside) setBeside(found, name);
  for (const name of squared) for (const own of found.values()) own[name] **= 2;
  return found;
}

/** A frame's name and its folder's: the name alone may be a library's. */
const isOwn = 0.95;
const outward = 0.8;

/** The innermost frame in the repository counts most, whatever libraries follow. */
function matchFrames(frames: readonly string[], paths: Paths): Map<number, number> {
  const found = new Map<number, number>();
  let share = 1;
  for (const path of frames.toReversed()) {
    const own = paths.matchPath({ path, weight: 1 }).filter(([, matched]) => matched >= isOwn || !path.includes('/'));
    for (const [at, matched] of own) found.set(at, Math.max(found.get(at) ?? 0, share * matched));
    if (own.length > 0) share *= outward;
  }
  return found;
}

function measurePath(question: CodeQuestion, paths: Paths, at: number, own: Features): void {
  const path = paths.all[at];
  if (!path) return;
  let worth = 0;
  for (const term of path.nameTerms) {
    const rarity = paths.rarity(term);
    worth += rarity;
    if (question.titleTerms.has(term)) own.titleName += rarity;
  }
  own.titleName /= worth || 1;
  for (const term of path.terms) own.path += paths.rarity(term) * (question.terms.get(term) ?? 0);
  own.aside = aside.test(path.path) ? 1 : 0;
}

function setBeside(found: ReadonlyMap<number, Features>, name: Feature): void {
  let most = 0;
  for (const own of found.values()) most = Math.max(most, own[name]);
  if (most > 0) for (const own of found.values()) own[name] /= most;
}
