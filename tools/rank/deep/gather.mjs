// Gathers further questions with known evidence for the deep ranker: chats about people's lives, meetings, questions to an
// encyclopaedia, notes, documentation and commits (README.md).
// node tools/rank/deep/gather.mjs CLONES [--out FOLDER]; CLONES has a clone of each repository as owner+name
import {
  began,
  chunk,
  commits,
  day,
  docs,
  git,
  meetings,
  readSections,
  rounds,
  sample,
  tidy,
  write,
} from '../sources.mjs';
import { askAbout, askOf } from './questions.mjs';

/** @typedef {import('../sources.mjs').Round} Round */
/** @typedef {import('../sources.mjs').Question} Question */

const names =
  'Ann Ben Carla David Emma Frank Grace Henry Iris Jack Karen Leo Maria Nate Olivia Paul Quinn Rosa Sam Tina Uma Victor Wendy Xavier Yara Zoe Alice Brian Chloe Diego Elena Felix'.split(
    ' ',
  );
const chatsAtOnce = 25;
/** Words of questions that say nothing about the answer. */
const vague =
  /\b(?:what|when|where|who|why|how|which|do|does|did|favorite|thing|things|some|kind|other|there|they|their|he|she)\b/gi;
const common = new Set(
  'i a an the my is am are was to of and in for on with at have has like love it do be me very that so'.split(' '),
);

write('chats', chats());
write('encyclopaedia', encyclopaedia());
write('notes', notes());
write('meetings', meetings(['Academic/jsonl/train', 'Committee/jsonl/train']));
write('manuals', ['django+django', 'kubernetes+website', 'OWASP+CheatSheetSeries', 'mitmproxy+mitmproxy'].map(docs));
write(
  'changes',
  ['eslint+eslint', 'fastify+fastify', 'restic+restic', 'django+django', 'keycloak+keycloak'].map(commits),
);

/** Chats of two people with known traits, several in one database as sessions. @returns {Round[]} */
function chats() {
  const read = ['valid', 'test'].flatMap((part) =>
    readTable(
      git('google-research-datasets+Synthetic-Persona-Chat', 'show', `HEAD:data/Synthetic-Persona-Chat_${part}.csv`),
    ).slice(1),
  );
  return chunk(read, chatsAtOnce).map((some, number) => {
    // Every fourth database is one of a user and an assistant, as an agent's memories are.
    const own = number % 4 === 3 ? ['user', 'assistant'] : sample(names.slice((number * 7) % 24), number % 2 ? 2 : 6);
    /** @type {Map<string, { question: string, evidence: string[], gold: string[] }>} */
    const asked = new Map();
    const ask = (
      /** @type {string | undefined} */ question,
      /** @type {string} */ turn,
      /** @type {string} */ session,
    ) => {
      if (question === undefined) return;
      const key = question.toLowerCase().replace(/\b(?:favou?rite|any|a|an|the|really|usually|currently)\b|\W/g, '');
      const known = asked.get(key) ?? { question, evidence: [], gold: [] };
      asked.set(key, known);
      if (!known.evidence.includes(turn)) known.evidence.push(turn);
      if (!known.gold.includes(session)) known.gold.push(session);
    };
    const sessions = some.map(([one = '', two = '', talk = ''], at) => {
      const id = `chat${number}-${at}`;
      const pair = own[0] === 'user' ? own : [own[(at * 2) % own.length], own[(at * 2 + 1) % own.length]];
      const turns = talk.split('\n').flatMap((line, place) => {
        const [, who, text] = /^User (\d): ?(.+)$/.exec(line.trim()) ?? [];
        return text
          ? [{ id: `${id}:${place}`, speaker: /** @type {string} */ (pair[Number(who) - 1] ?? pair[0]), text }]
          : [];
      });
      /** @param {string} speaker */
      const called = (speaker) => (speaker === 'user' ? 'I' : speaker === 'assistant' ? undefined : speaker);
      turns.forEach(({ text, speaker, id: turn }, place) => {
        const next = turns[place + 1];
        const name = called(next?.speaker ?? 'assistant');
        const last = text.match(/[^.?!]+\?/g)?.at(-1);
        if (next && next.speaker !== speaker && last && name && next.text.split(' ').length > 3)
          ask(askOf(last, name), next.id, id);
        const teller = called(speaker);
        if (!teller || (place + at) % 2 === 0) return;
        const sentence = text.match(/[^.?!]+[.!]?/g)?.find((part) => askAbout(part, teller, place + at) !== undefined);
        if (sentence) ask(askAbout(sentence, teller, place + at), turn, id);
      });
      [one, two].forEach((traits, which) => {
        const teller = called(/** @type {string} */ (pair[which]));
        if (!teller) return;
        traits.split('\n').forEach((trait, place) => {
          const turn = findTelling(
            trait,
            turns.filter(({ speaker }) => speaker === pair[which]),
          );
          if (turn) ask(askAbout(trait, teller, place + at) ?? undefined, turn.id, id);
        });
      });
      return { id, at: began + at * 3 * day, turns };
    });
    // Questions that many turns answer say little about any of them.
    const questions = [...asked.values()].filter(
      ({ question, evidence }) => evidence.length <= 5 && rootsOf(question.replace(vague, '')).length >= 2,
    );
    return {
      name: `chats-${number}`,
      sessions,
      questions: sample(questions, 150).map((one) => ({ ...one, type: 'chat' })),
    };
  });
}

/** @param {string} text */
function rootsOf(text) {
  return [...new Set(text.toLowerCase().match(/[a-z]+/g))]
    .filter((word) => !common.has(word))
    .map((word) => word.replace(/(?:ing|ed|es|s)$/, '').slice(0, 6));
}

/** The turn that tells a trait: at least half of its words, and two. @param {string} trait @param {import('../sources.mjs').Turn[]} turns */
function findTelling(trait, turns) {
  const wanted = rootsOf(trait);
  const scored = turns.map((turn) => {
    const own = new Set(rootsOf(turn.text));
    return { turn, shared: wanted.filter((root) => own.has(root)).length };
  });
  const best = scored.sort((a, b) => b.shared - a.shared)[0];
  return best && best.shared >= Math.max(2, wanted.length / 2) ? best.turn : undefined;
}

/** Sentences of articles, and questions that one of them answers. @returns {Round[]} */
function encyclopaedia() {
  /** @type {{ id: string, turns: import('../sources.mjs').Turn[], questions: Question[] }[]} */
  const articles = [];
  for (const { title, paragraphs } of JSON.parse(git('google-deepmind+xquad', 'show', 'HEAD:xquad.en.json')).data) {
    const turns = /** @type {import('../sources.mjs').Turn[]} */ ([]);
    const questions = /** @type {Question[]} */ ([]);
    paragraphs.forEach((/** @type {any} */ { context, qas }, /** @type {number} */ number) => {
      const sentences = context.match(/[\s\S]+?(?:[.!?](?=\s+[A-Z"])|$)/g);
      let end = 0;
      const ends = sentences.map((/** @type {string} */ one) => (end += one.length));
      for (const [at, text] of sentences.entries())
        turns.push({ id: `${title}:${number}:${at}`, speaker: '', text: text.trim() });
      for (const { question, answers } of qas)
        questions.push({
          question,
          evidence: [
            `${title}:${number}:${ends.findIndex((/** @type {number} */ at) => answers[0].answer_start < at)}`,
          ],
          gold: [title],
          type: 'fact',
        });
    });
    articles.push({ id: title, turns, questions });
  }
  for (const line of git('google-research-datasets+QED', 'show', 'HEAD:qed-dev.jsonlines').split('\n')) {
    if (line === '') continue;
    const {
      example_id: number,
      question_text: question,
      paragraph_text: text,
      sentence_starts: starts,
      original_nq_answers: answers,
    } = JSON.parse(line);
    const start = answers[0]?.[0]?.start;
    if (start === undefined) continue;
    const id = `qed${number}`;
    articles.push({
      id,
      turns: starts.map((/** @type {number} */ from, /** @type {number} */ at) => ({
        id: `${id}:${at}`,
        speaker: '',
        text: tidy(text.slice(from, starts[at + 1])),
      })),
      questions: [
        {
          question,
          evidence: [`${id}:${starts.filter((/** @type {number} */ from) => from <= start).length - 1}`],
          gold: [id],
          type: 'fact',
        },
      ],
    });
  }
  return rounds('encyclopaedia', articles, 100);
}

/** Notes of a programmer: titles, and the paragraphs below. @returns {Round[]} */
function notes() {
  const paths = git('jbranchaud+til', 'ls-tree', '-r', '--name-only', 'HEAD')
    .split('\n')
    .filter((path) => /^[\w-]+\/.+\.md$/.test(path));
  const how = ['', 'How do I ', 'What did I learn about: ', 'How can I '];
  const read = paths.flatMap((path, number) => {
    const sections = readSections(git('jbranchaud+til', 'show', `HEAD:${path}`));
    const title = sections[0]?.heading ?? '';
    const turns = sections
      .flatMap(({ paragraphs }) => paragraphs)
      .map((text, at) => ({ id: `${path}:${at}`, speaker: '', text }));
    const asked = `${how[number % 4]}${number % 4 ? title.toLowerCase() : title}${number % 4 ? '?' : ''}`;
    return turns.length === 0
      ? []
      : [{ id: path, turns, questions: [{ question: asked, gold: [path], type: 'note' }] }];
  });
  return rounds('notes', read, 400);
}

/** Rows of comma-separated values with quotes. @param {string} text */
function readTable(text) {
  /** @type {string[][]} */
  const rows = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\n"]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push((quoted ?? plain ?? '').replaceAll('""', '"'));
    if (end !== ',') rows.push([]);
  }
  return rows.filter((row) => row.length > 1);
}
