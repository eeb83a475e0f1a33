// A report as its author might have written it, from a commit: what was wrong (the message, the entry of the changelog) and the
// code that shows it (the lines added to tests), without references and without what names the files directly.
import { isSource, isTest } from '../../../src/services/repo/search/rank/source.ts';

export interface Change {
  isNew: boolean;
  path: string;
}

export interface Commit {
  hash: string;
  message: string;
  changes: readonly Change[];
}

const reference = /\s*\(?(?:(?:fix(?:es|ed)?|closes?|resolves?|refs?|see|gh-)\s*)?#\d+\)?|https?:\/\/\S+/gi;
/** `fix(router): `, `net/http: `, `[Router] `: the part of the program. */
const scope = /^(?:\w+(?:\([^)]*\))?!?:\s*|[\w./-]+:\s+|\[[^\]]*\]\s*)/;
const noise =
  /^(?:[A-Z][\w-]+-by:|Change-Id:|Refs?[: ]|PR-URL:|Fixes:?|Closes:?|Resolves:?|Reviewed|\* (?:chore|lint|format|wip|fix lint|typo|ci)|---+$|Ticket|git-svn-id|Bug:)/i;
const changelog =
  /(?:^|\/)(?:\.changeset|changes?|changelog\.d|newsfragments|news|\.changes)\/[^/]+\.\w+$|(?:CHANGES?(?:LOG)?|HISTORY)\.(?:md|rst|txt)$/i;
/** Imports name the files. */
const importing = /(?:from|require\(|import)\s*\(?['"]\.|^\s*(?:import|from|#include|use|using|package|require)\b/;
const mostProse = 3_000;
const mostNotes = 800;
const mostCode = 1_500;
const mostLines = 25;
/** Of all examples: with the part of the program in the subject, and with code. */
const shares = { scope: 0.5, code: 0.6 };

export function compose(commit: Commit, show: (paths: readonly string[]) => string): { text: string; length: number } {
  const [subject = '', ...rest] = commit.message.split('\n');
  const title = subject.replace(reference, '').trim();
  const body = rest
    .filter((line) => !noise.test(line))
    .join('\n')
    .replace(reference, '')
    .trim()
    .slice(0, mostProse);
  const { notes, code } = readAdded(commit, show);
  const pieces = [draw(commit.hash, 0) < shares.scope ? title : title.replace(scope, '')];
  if (body !== '') pieces.push(body);
  if (notes !== '' && !body.includes(notes.slice(0, 40))) pieces.push(notes);
  if (code !== '' && draw(commit.hash, 2) < shares.code) pieces.push(`\`\`\`\n${code}\n\`\`\``);
  const text = pieces.join('\n\n');
  return { text, length: text.length - title.length };
}

function readAdded({ changes }: Commit, show: (paths: readonly string[]) => string): { notes: string; code: string } {
  const notes = changes.filter(({ path }) => changelog.test(path)).slice(0, 2);
  const tests = changes.filter(({ path }) => isTest(path) && isSource(path)).slice(0, 2);
  const paths = [...notes, ...tests].map(({ path }) => path);
  const added = { notes: '', code: '' };
  if (paths.length === 0) return added;
  for (const piece of show(paths)
    .split(/^diff --git /m)
    .slice(1)) {
    const lines = piece.split('\n').flatMap((line) => (/^\+(?!\+\+)/.test(line) ? [line.slice(1)] : []));
    if (notes.some(({ path }) => piece.startsWith(`a/${path} `))) {
      added.notes += lines.filter((line) => !/^\s*(?:---|['"][@\w/-]+['"]:|#+ )/.test(line)).join('\n');
    } else {
      const kept = lines.filter((line) => line.length < 200 && !importing.test(line)).slice(0, mostLines);
      added.code += kept.join('\n');
    }
  }
  return { notes: added.notes.replace(reference, '').trim().slice(0, mostNotes), code: added.code.slice(0, mostCode) };
}

/** From 0 to 1, the same for a commit every time. */
function draw(hash: string, at: number): number {
  return Number.parseInt(hash.slice(at, at + 2), 16) / 256;
}
