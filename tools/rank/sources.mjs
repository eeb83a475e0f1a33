// Reads public repositories as questions with known evidence: what the sets of both learned stages have in common.
// The command line: CLONES [--out FOLDER]; CLONES has a clone of each repository as owner+name.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** @typedef {{ id: string, speaker: string, text: string }} Turn */
/** @typedef {{ id: string, at: number, loose?: boolean, turns: Turn[] }} Session */
/** @typedef {{ question: string, evidence?: string[], gold?: string[], type?: string }} Question */
/** @typedef {{ name: string, sessions: Session[], questions: Question[] }} Round */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: '.rank' } },
});
const [clones = ''] = positionals;
export const day = 86_400_000;
const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);
export const began = Date.UTC(2024, 0, 1);
/** The newest commit that is read, so that a later clone gives the same examples. */
const until = '2026-06-01';

/** @param {string} set @param {Round[]} rounds */
export function write(set, rounds) {
  mkdirSync(join(values.out, 'sets'), { recursive: true });
  writeFileSync(join(values.out, 'sets', `${set}.json`), JSON.stringify(rounds));
  const turns = rounds.flatMap(({ sessions }) => sessions.flatMap((one) => one.turns)).length;
  const questions = rounds.flatMap((one) => one.questions).length;
  print(`${set}: ${rounds.length} databases, ${turns} memories, ${questions} questions`);
}

/** @param {string} repository @param {string[]} args */
export function git(repository, ...args) {
  const folder = ['repo/.git', 'repo', '.git', '']
    .map((end) => join(clones, repository, end))
    .find((path) => existsSync(join(path, 'HEAD')));
  return execFileSync('git', ['--git-dir', folder ?? '', ...args], { maxBuffer: 2 ** 30, encoding: 'utf8' });
}

/** @template T @param {T[]} all @param {number} size */
export function chunk(all, size) {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
}

/** The same choice every time. @template T @param {T[]} all @param {number} count */
export function sample(all, count) {
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, at) => /** @type {T} */ (all[Math.floor(at * step)]));
}

/** Tokens are separated by spaces there. @param {string} text */
export function tidy(text) {
  return text
    .replace(/ (?=[.,?!;:)]|'\w|n't\b)/g, '')
    .replace(/\( /g, '(')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Meetings with the turns that a question is about. @param {string[]} parts @param {number} [every] @returns {Round[]} */
export function meetings(parts, every = 1) {
  return parts.flatMap((part) =>
    git('Yale-LILY+QMSum', 'show', `HEAD:data/${part}.jsonl`)
      .split('\n')
      .filter((line) => line !== '')
      .map((line, number) => {
        const { specific_query_list: asked, meeting_transcripts: said } = JSON.parse(line);
        const name = `qmsum-${part.replace(/\W/g, '-')}-${number}`;
        // Every hundred turns are a session of their own, so that there are several.
        const sessions = chunk(said, 100).map((/** @type {any[]} */ some, at) => ({
          id: `${name}-${at}`,
          at: began + at * day,
          turns: some
            .map(({ speaker, content }, place) => ({
              id: String(at * 100 + place),
              speaker,
              text: tidy(content.replace(/\{\w+\}/g, '')),
            }))
            .filter(({ text }) => text.length > 3),
        }));
        const questions = asked.flatMap((/** @type {any} */ { query, relevant_text_span: spans }) => {
          const evidence = spans.flatMap(([from, to]) =>
            Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => String(Number(from) + at)),
          );
          const gold = [
            ...new Set(evidence.map((/** @type {string} */ id) => `${name}-${Math.floor(Number(id) / 100)}`)),
          ];
          return evidence.length <= 40 ? [{ question: query, type: 'meeting', evidence, gold }] : [];
        });
        return { name, sessions, questions };
      })
      .filter((round, at) => round.questions.length > 0 && at % every === 0),
  );
}

/** @param {string} set @param {{ id: string, turns: Turn[], questions: Question[] }[]} read @param {number} atOnce @returns {Round[]} */
export function rounds(set, read, atOnce) {
  return chunk(read, atOnce).map((some, number) => ({
    name: `${set}-${number}`,
    sessions: some.map(({ id, turns }, at) => ({ id, at: began + at * day, turns })),
    questions: some.flatMap((one) => one.questions),
  }));
}

/** Headings of a documentation, and the paragraphs below. @param {string} repository @param {number} number @returns {Round} */
export function docs(repository, number) {
  const paths = git(repository, 'ls-tree', '-r', '--name-only', 'HEAD')
    .split('\n')
    .filter(
      (path) =>
        /\.(?:md|mdx|rst)$/.test(path) &&
        !/change|history|release|test|fixture|node_modules|blog|_data|team|translations/i.test(path),
    );
  /** @type {Session[]} */
  const sessions = [];
  /** @type {Question[]} */
  const questions = [];
  for (const path of sample(paths, 150)) {
    const sections = readSections(git(repository, 'show', `HEAD:${path}`));
    /** @type {Turn[]} */
    const turns = [];
    for (const { heading, paragraphs } of sections) {
      const own = paragraphs.map((text, at) => ({ id: `${path}#${heading}:${at}`, speaker: '', text }));
      turns.push(...own);
      if (own.length > 0 && heading.split(/\s+/).length >= 3)
        questions.push({
          question: ask(heading, questions.length),
          type: 'docs',
          evidence: own.slice(0, 4).map(({ id }) => id),
          gold: [path],
        });
    }
    if (turns.length > 0)
      sessions.push({ id: path, at: began + sessions.length * day, loose: number % 2 === 0, turns });
  }
  return { name: `docs-${number}`, sessions, questions: sample(questions, 220) };
}

/** @param {string} text */
export function readSections(text) {
  /** @type {{ heading: string, paragraphs: string[] }[]} */
  const sections = [];
  for (const block of text
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/```[\s\S]*?```/g, '')
    .replace(/^(.+)\n([=\-*~])\2{3,}$/gm, '# $1')
    .split(/\n\s*\n/)) {
    const [, title, rest = ''] = /^#{1,4} +(.+)\n?([\s\S]*)$/.exec(block.trim()) ?? [];
    if (title !== undefined)
      sections.push({ heading: title.replace(/\{.*\}|[`*]|\[|\]\(.*?\)/g, '').trim(), paragraphs: [] });
    const plain = (title === undefined ? block : rest)
      .replace(/\]\([^)]*\)/g, ']')
      .replace(/<[^>]*>|[[\]]/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    if (/^[A-Z`*-]/.test(plain) && plain.split(' ').length >= 8 && plain.length < 1500)
      sections.at(-1)?.paragraphs.push(plain);
  }
  return sections;
}

/** A question of the form that people use, where the text is none. @param {string} text @param {number} number */
function ask(text, number) {
  if (text.endsWith('?')) return text;
  const plain = text.replace(/[.:]$/, '');
  return [plain, `What do we know about ${plain}?`, `How does this work: ${plain}`, `${plain}?`][number % 4] ?? plain;
}

/** Subjects of commits, and the paragraphs of their texts. @param {string} repository @param {number} number @returns {Round} */
export function commits(repository, number) {
  const log = git(repository, 'log', '--no-merges', `--until=${until}`, '-6000', '--format=%H%x01%ct%x01%s%x01%b%x02');
  const read = log.split('\x02').flatMap((entry) => {
    const [hash = '', time, subject = '', body = ''] = entry.trim().split('\x01');
    const paragraphs = body
      .replace(/```[\s\S]*?```/g, '')
      .split(/\n\s*\n/)
      .map((text) =>
        text
          .replace(/^#+ .*$/gm, '')
          .replace(/\s+/g, ' ')
          .trim(),
      )
      .filter(
        (text) =>
          text.split(' ').length >= 10 &&
          text.length < 1500 &&
          !/^(?:[\w-]+-by|co-authored|signed|closes|fixes) ?[:#]/i.test(text),
      );
    const about = subject.replace(/^\w+(?:\([^)]*\))?!?: */, '').replace(/\s*\(#\d+\)$/, '');
    if (paragraphs.length === 0 || about.split(' ').length < 4) return [];
    return [{ hash, at: Number(time) * 1000, about, paragraphs: paragraphs.slice(0, 8) }];
  });
  const taken = sample(read, 350).reverse();
  const why = ['', 'Why did we change this: ', 'What did we decide about ', 'How did we '];
  return {
    name: `commits-${number}`,
    sessions: taken.map(({ hash, at, paragraphs }) => ({
      id: hash,
      at,
      loose: number % 2 === 1,
      turns: paragraphs.map((text, place) => ({ id: `${hash}:${place}`, speaker: '', text })),
    })),
    questions: sample(taken, 200).map(({ hash, about }, at) => ({
      question: `${why[at % 4]}${about}${at % 4 === 0 ? '' : '?'}`,
      type: 'commit',
      gold: [hash],
    })),
  };
}
