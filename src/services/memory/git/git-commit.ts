// Which commits are worth storing: changes of behaviour, reverts, merged pull requests, and commits that explain why.
// The rest of a history (version bumps, formatting, commits by bots) would only hide them.
import type { Commit } from './git-log.ts';

export type CommitType = 'feat' | 'fix' | 'perf' | 'refactor' | 'security' | 'revert' | 'merge' | 'other';

export interface Judged {
  type: CommitType;
  scope?: string;
  breaking: boolean;
  title: string;
  /** The message without trailers. */
  text: string;
  /** The commit that it reverts. */
  reverts?: string;
}

type LeaveReason = 'bot' | 'noise' | 'merge' | 'chore' | 'unexplained';

const maxTitle = 300;
const maxText = 8_000;

const bots =
  /\[bot\]|\b(?:dependabot|renovate|greenkeeper|snyk|pre-commit-ci|semantic-release|github-actions|allcontributors|mergify|copybara|imgbot|codecov|weblate|transifex)\b|^(?:ci|bot|jenkins|travis|circleci|release)(?:[ -]?(?:bot|user|ci))?$/i;

const noise = [
  /^(?:fixup|squash|amend)! /i,
  /^(?:wip|tmp|temp|test|asdf|stuff|misc|minor|cleanup|clean up|changes?|updates?|save|checkpoint|\.+|-+)(?:\b[^a-z]*$|[: ]*$)/i,
  /^\[?wip\b/i,
  /^\[?(?:skip[ -]ci|ci[ -]skip)\]?$/i,
  /^(?:chore\([^)]*\): |chore: |build: |build\([^)]*\): )?(?:release|version|bump|prepare|tag|cut)?\s*:?\s*(?:to )?@?[\w./-]*@?\s*v?\d+\.\d+(?:\.\d+)?(?:[-+.]\w+)*$/i,
  /^(?:\w+(?:\([^)]*\))?!?: )?(?:bump|upgrade|update) (?:version|[\w@./-]+ (?:from [\w.^~-]+ )?to v?[\w.^~-]*\d[\w.^~-]*)\b/i,
  /^(?:chore|build|fix|ci)\((?:deps|deps-dev|dependencies|release)\)/i,
  /^(?:\w+: )?(?:bump|update|upgrade) (?:the )?(?:dependenc(?:y|ies)|deps|lock ?file|package-lock|yarn\.lock|submodules?)\b/i,
  /^(?:\w+(?:\([^)]*\))?: )?(?:run |apply |fix |fixed |fixes |fixing |correct )?(?:the |a |some |minor )*(?:prettier|eslint|lint(?:er|ing)?|gofmt|rustfmt|clippy|black|isort|biome|code ?style|formatting|format|whitespace|indentation|typos?|spelling|imports?|comments?|docs?|readme)(?: (?:errors?|issues?|warnings?|fixes|code|files|in .{1,40}))?\.?$/i,
  /^(?:initial commit|first commit|init)\.?$/i,
  /^(?:update|edit|create) (?:readme|changelog|license|\.gitignore|[\w./-]+\.md)\b.{0,12}$/i,
  /^(?:fix|fixed|fixes)(?: (?:the|a|some|failing|broken))*(?: (?:tests?|ci|build|typo|lint|it|bug|stuff|issue|comments?|review))?\.?$/i,
];

const quiet = new Set(['chore', 'style', 'test', 'tests', 'build', 'ci', 'docs', 'doc', 'release', 'deps', 'i18n']);
const typeNames: Readonly<Record<string, CommitType>> = {
  feat: 'feat',
  feature: 'feat',
  fix: 'fix',
  bugfix: 'fix',
  hotfix: 'fix',
  perf: 'perf',
  refactor: 'refactor',
  revert: 'revert',
  security: 'security',
  sec: 'security',
  breaking: 'refactor',
};

/** Verbs that start a subject without a conventional type. */
const verbs: readonly [CommitType, RegExp][] = [
  ['security', /^(?:security\b|(?:fix|patch|address|mitigate)\w* (?:a |the )?(?:cve|vulnerabilit))/i],
  ['fix', /^(?:fix(?:e[sd])?|bug ?fix|hotfix|correct|prevent|avoid|handle|resolve[sd]?|repair|work ?around|guard)\b/i],
  ['perf', /^(?:optimi[sz]e|speed up|cache|make .{1,60} faster|reduce .{1,60}(?:time|memory|allocations?|latency))\b/i],
  ['feat', /^(?:add(?:s|ed)?|implement(?:s|ed)?|introduce[sd]?|support|allow|enable|expose|provide)\b/i],
  [
    'refactor',
    /^(?:refactor|rewrite|rework|replace|migrate|move|switch|split|extract|restructure|simplify|rename|remove|drop|delete|deprecate|disable|merge .{1,40} into|use .{1,60} instead)(?:d|s|ed)?\b/i,
  ],
];

export function judgeCommit(commit: Commit): Judged | { leave: LeaveReason } {
  const { message, author, email, parents } = commit;
  const [subject = '', ...rest] = message.split('\n');
  const body = stripTrailers(rest.join('\n'));
  if (bots.test(author) || email.includes('[bot]')) return { leave: 'bot' };
  const merged = readMerge(subject, body);
  if (merged && isNoise(merged.title)) return { leave: 'noise' };
  if (merged) return describe('merge', merged.title, message, false);
  if (parents.length > 1 || /^merge (?:branch|remote-tracking branch|tag|commit)\b/i.test(subject)) {
    return explains(body) ? describe('merge', subject, message, false) : { leave: 'merge' };
  }
  const reverts = /^This reverts commit ([0-9a-f]{40,64})/m.exec(body)?.[1];
  if (reverts !== undefined || /^revert[ :(]/i.test(subject)) {
    return { ...describe('revert', subject, message, false), ...(reverts !== undefined && { reverts }) };
  }
  const breaking = /^\w[\w-]*(?:\([^)]{1,60}\))?!: /.test(subject) || /^BREAKING[ -]CHANGE:/m.test(body);
  if (isNoise(subject) && !breaking) return { leave: 'noise' };
  return judgeChange(subject, body, message, breaking);
}

/** The number of a pull request does not describe it. */
function isNoise(subject: string): boolean {
  const plain = subject
    .slice(0, maxTitle)
    .replace(/\s*\([#!]\d+\)\s*$/, '')
    .trim();
  return noise.some((pattern) => pattern.test(plain));
}

function judgeChange(
  subject: string,
  body: string,
  message: string,
  breaking: boolean,
): Judged | { leave: LeaveReason } {
  const [, word, scope] = /^([a-z][a-z0-9-]*)(?:\(([^)]{1,60})\))?!?: /i.exec(subject) ?? [];
  const named = word?.toLowerCase() ?? '';
  const type = typeNames[named] ?? guessType(subject);
  const more = scope === undefined ? {} : { scope };
  if (breaking) return { ...describe(type ?? 'other', subject, message, true), ...more };
  if (quiet.has(named)) {
    return explains(body) ? { ...describe('other', subject, message, false), ...more } : { leave: 'chore' };
  }
  if (type !== undefined) return { ...describe(type, subject, message, false), ...more };
  return explains(body) ? describe('other', subject, message, false) : { leave: 'unexplained' };
}

/** The verb may follow the name of a component: "net/http: fix …", "[parser] Add …". */
function guessType(subject: string): CommitType | undefined {
  const plain = subject.replace(/^(?:\[[^\]]{1,40}\]\s*|[\w./*, -]{1,50}: |:\w+: ?|[^\p{L}\p{N}]+)/u, '');
  const enough = plain.split(/\s+/).length >= 3;
  return enough ? verbs.find(([, pattern]) => pattern.test(plain))?.[0] : undefined;
}

/** A merged pull request, recognised by the forge's merge message; its title is the next line. */
function readMerge(subject: string, body: string): { title: string } | undefined {
  const first = body.trim().split('\n')[0]?.trim() ?? '';
  const github = /^Merge pull request #(\d+) from /.exec(subject);
  if (github) return first === '' ? undefined : { title: `${first} (#${github[1]})` };
  const azure = /^Merged PR (\d+): (.+)$/.exec(subject);
  if (azure) return { title: `${azure[2]} (#${azure[1]})` };
  const bitbucket = /^Merged in .+ \(pull request #(\d+)\)$/.exec(subject);
  if (bitbucket) return first === '' ? undefined : { title: `${first} (#${bitbucket[1]})` };
  const gitlab = /^See merge request .*!(\d+)\s*$/m.exec(body);
  if (gitlab && subject.startsWith('Merge branch '))
    return { title: first.startsWith('See ') ? subject : `${first} (!${gitlab[1]})` };
  return undefined;
}

const trailer =
  /^(?:signed-off-by|co-authored-by|reviewed-by|acked-by|tested-by|reported-by|suggested-by|approved-by|cc|change-id|git-svn-id|pr-url|reviewed-on|commit-queue|auto-submit|generated[- ]by|🤖 generated with).*$/gim;

function stripTrailers(text: string): string {
  return text
    .replace(trailer, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const reasons =
  /\b(?:because|since|so that|otherwise|instead of|in order to|due to|caused|causes|turned out|the reason|why|previously|used to|now|whenever|leads? to|broke|breaks|without this|this (?:allows|makes|avoids|prevents|fixes|ensures))\b/i;

/** A body of prose, not only a list of changes. */
function explains(body: string): boolean {
  const prose = body.replace(/^[ \t]*(?:[-*+]|\d+\.) .*$/gm, '').replace(/https?:\/\/\S+/g, '');
  const count = prose.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word)).length;
  return count >= 20 || (count >= 6 && reasons.test(prose));
}

function describe(type: CommitType, title: string, message: string, breaking: boolean): Judged {
  const [subject = '', ...rest] = message.split('\n');
  const text = `${subject}\n\n${stripTrailers(rest.join('\n'))}`.trim();
  return { type, breaking, title: title.slice(0, maxTitle), text: text.slice(0, maxText) };
}
