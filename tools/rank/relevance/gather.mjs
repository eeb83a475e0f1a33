// Gathers facts with prompts that some of them help, and prompts that none helps, in the format of ../gather.mjs (README.md).
// node tools/rank/relevance/gather.mjs [CLONES] [--out FOLDER]; CLONES has a clone of each repository as owner+name
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom } from '../trees.mjs';

/** @typedef {{ text: string, right: string[] }} Prompt */
/** @typedef {{ facts: Record<string, string>, prompts: Prompt[] }} Store */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: '.rank' } },
});
const [clones = ''] = positionals;
/** The newest commit that is read, so that a later clone gives the same examples. */
const until = '2026-06-01';
const at = Date.UTC(2024, 0, 1);
const fewestFacts = 5;
const mostFacts = 60;
const foreignPrompts = 40;
/** Every so many of these prompts are used. */
const promptStep = 3;

const here = (/** @type {string} */ name) => readFileSync(new URL(name, import.meta.url), 'utf8');
mkdirSync(join(values.out, 'sets'), { recursive: true });
write('tasks', readWritten(here('tasks.txt')));
write('apart', readWritten(here('apart.txt')));
write('tune', readBench(here('../../../bench/quality/relevance/tune.json')));
if (clones !== '') write('agents', readAgents(here('repositories.txt').trim().split('\n')));

/** @param {string} set @param {Store[]} stores */
function write(set, stores) {
  const rounds = stores.map(({ facts, prompts }, number) => {
    const [id, name] = [`${set}${number}`, (/** @type {string} */ fact) => `${set}${number}:${fact}`];
    const turns = Object.entries(facts).map(([fact, text]) => ({ id: name(fact), speaker: '', text }));
    const questions = prompts.map(({ text: question, right }) => {
      return { question, evidence: right.map(name), gold: right.length > 0 ? [id] : [], type: 'task' };
    });
    return { name: `${set}-${number}`, sessions: [{ id, at, loose: true, turns }], questions };
  });
  writeFileSync(join(values.out, 'sets', `${set}.json`), JSON.stringify(rounds));
  const all = stores.flatMap(({ prompts }) => prompts);
  const helped = all.filter(({ right }) => right.length > 0).length;
  const facts = stores.flatMap((one) => Object.keys(one.facts)).length;
  process.stdout.write(`${set}: ${stores.length} stores, ${facts} facts, ${helped} of ${all.length} prompts helped\n`);
}

/** "F name: fact", "+ names: prompt that these facts help", "- prompt that none helps". @param {string} text @returns {Store[]} */
function readWritten(text) {
  const blocks = text.split(/^# /m).slice(1);
  return blocks.map((block) => {
    const [title = '', ...lines] = block.trim().split('\n');
    /** @type {Store} */
    const store = { facts: {}, prompts: [] };
    for (const line of lines.filter((one) => one.trim() !== '')) {
      const [, kind = '-', names = '', said = line.slice(2)] = /^([F+]) ([\w,]+): (.*)$/.exec(line) ?? [];
      if (kind === 'F') store.facts[names] = said;
      else store.prompts.push({ text: said, right: kind === '+' ? names.split(',') : [] });
    }
    const unknown = store.prompts.flatMap(({ right }) => right).find((name) => !(name in store.facts));
    if (unknown !== undefined) throw new Error(`${title}: there is no fact "${unknown}"`);
    return store;
  });
}

/** @param {string} text @returns {Store[]} */
function readBench(text) {
  /** @type {{ facts: Record<string, string>, helped: [string, string[]][], unhelped: string[] }[]} */
  const cases = JSON.parse(text);
  return cases.map(({ facts, helped, unhelped }) => {
    const prompts = helped.map(([text, right]) => ({ text, right }));
    return { facts, prompts: [...prompts, ...unhelped.map((text) => ({ text, right: [] }))] };
  });
}

/** Rules for agents in repositories, with prompts and commit subjects of others, which they hardly ever help. @param {string[]} names @returns {Store[]} */
function readAgents(names) {
  const random = createRandom(11);
  const repositories = names.map((name) => ({ name, ...readRepository(name) }));
  const ruled = repositories.filter(({ facts }) => facts.length >= fewestFacts);
  return ruled.map(({ name, facts }) => {
    const others = repositories.filter((one) => one.name !== name && one.prompts.length > 0);
    const prompts = Array.from({ length: foreignPrompts }, () => {
      const own = others[Math.floor(random() * others.length)]?.prompts ?? [];
      return { text: /** @type {string} */ (own[Math.floor(random() * own.length)]), right: [] };
    });
    const first = Math.floor(random() * Math.max(1, facts.length - mostFacts));
    const some = facts.slice(first, first + mostFacts).map((text, place) => [`f${place}`, text]);
    return { facts: Object.fromEntries(some), prompts: prompts.filter((_, place) => place % promptStep === 0) };
  });
}

/** @param {string} name */
function readRepository(name) {
  const folders = ['repo/.git', 'repo', '.git', ''].map((end) => join(clones, name, end));
  const folder = folders.find((path) => existsSync(join(path, 'HEAD')));
  if (folder === undefined) throw new Error(`Cannot read ${name}: there is no clone in ${clones}`);
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['--git-dir', folder, ...args], { maxBuffer: 2 ** 30, encoding: 'utf8' });
  const head = git('log', '-1', `--until=${until}`, '--format=%H', 'HEAD').trim();
  const paths = git('ls-tree', '-r', '--name-only', '-z', head).split('\0');
  const show = (/** @type {string} */ path) => git('show', `${head}:${path}`);
  const ruling =
    /^(?:CLAUDE|AGENTS|CONTRIBUTING)\.md$|^\.cursorrules$|^\.cursor\/rules\/|^\.github\/copilot-instructions\.md$/;
  const talks = paths.filter((path) => /^\.specstory\/history\/.*\.md$/.test(path)).slice(0, 80);
  const subjects = git('log', '--no-merges', '-n', '400', '--format=%s', head);
  return {
    facts: [...new Set(paths.filter((path) => ruling.test(path)).flatMap((path) => readRules(show(path))))],
    prompts: [...talks.flatMap((path) => readAsked(show(path))), ...readSubjects(subjects)],
  };
}

/** List items that are a statement of their own. @param {string} text */
function readRules(text) {
  const lines = text.replace(/^```[\s\S]*?^```/gm, '').split('\n');
  return lines.flatMap((line) => {
    const [, said = ''] = /^\s*(?:[-*]|\d+\.) +(.{30,300})$/.exec(line) ?? [];
    const plain = said.replaceAll('**', '').trim();
    return plain.split(/\s+/).length >= 5 && !/\]\(|:$/.test(plain) ? [plain] : [];
  });
}

/** What people asked an agent. @param {string} text */
function readAsked(text) {
  const found = [...text.matchAll(/^_\*\*User[^\n]*\*\*_\n+([\s\S]*?)\n+---/gm)].map(([, said = '']) => said.trim());
  return found.filter((said) => said.length > 0 && said.length < 1_200 && !said.startsWith('<'));
}

/** Every fourth subject, without its type and number. @param {string} text */
function readSubjects(text) {
  const lines = text.split('\n');
  const plain = lines.map((line) => line.replace(/^\w+(?:\([^)]*\))?!?: */, '').replace(/\s*\(#\d+\)$/, ''));
  return plain.filter((line) => line.split(' ').length >= 3).filter((_, place) => place % 4 === 0);
}
