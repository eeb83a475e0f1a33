// Gathers questions with known evidence from public repositories whose licences permit it (README.md), as one JSON file per set.
// node tools/rank/gather.mjs CLONES [--out FOLDER]; CLONES has a clone of each repository as owner+name
import { commits, docs, git, meetings, rounds, sample, tidy, write } from './sources.mjs';

/** @typedef {import('./sources.mjs').Round} Round */

/** Scenes of a series in one database, as sessions of one conversation. */
const scenesAtOnce = 30;
const talksAtOnce = 60;

write('friends', friends());
write('molweni', molweni());
write('qmsum', meetings(['ALL/jsonl/val', 'ALL/jsonl/test'], 2));
write('docs', ['vitejs+vite', 'fastify+fastify', 'eslint+eslint', 'restic+restic', 'DakineMI+mcp-gateway'].map(docs));
write('commits', ['edobry+minsky', 'mitmproxy+mitmproxy', 'vitejs+vite', 'johnlindquist+script-kit-next'].map(commits));

/** Scenes with the lines that answer a question. @returns {Round[]} */
function friends() {
  const scenes = ['dev', 'tst'].flatMap(
    (part) => JSON.parse(git('emorynlp+FriendsQA', 'show', `HEAD:dat/friendsqa_${part}.json`)).data,
  );
  const read = scenes.map((/** @type {any} */ { title, paragraphs: [{ 'utterances:': lines, qas }] }) => ({
    turns: lines
      .filter((/** @type {any} */ { speakers }) => speakers.length > 0 && !/#NOTE#/.test(speakers[0]))
      .map((/** @type {any} */ { uid, speakers, utterance }) => ({
        id: `${title}:${uid}`,
        speaker: speakers.map((/** @type {string} */ name) => name.split(' ')[0]).join(' and '),
        text: tidy(utterance),
      })),
    id: title,
    questions: qas.map((/** @type {any} */ { question, answers }) => ({
      question,
      type: question.split(' ')[0].toLowerCase(),
      evidence: [...new Set(answers.map((/** @type {any} */ answer) => `${title}:${answer.utterance_id}`))],
      gold: [title],
    })),
  }));
  return rounds(
    'friends',
    read.sort((a, b) => (a.id < b.id ? -1 : 1)),
    scenesAtOnce,
  );
}

/** Talk about Ubuntu. @returns {Round[]} */
function molweni() {
  const { dialogues } = JSON.parse(git('HIT-SCIR+Molweni', 'show', 'HEAD:MRC(withDiscourse)/test.json')).data;
  const read = dialogues.map((/** @type {any} */ { edus, context, qas }, /** @type {number} */ number) => {
    const id = `talk${number}`;
    let end = 0;
    const ends = edus.map((/** @type {any} */ { speaker, text }) => {
      end += speaker.length + text.length + 3;
      return end;
    });
    const turns = edus.map((/** @type {any} */ { text, speaker }, /** @type {number} */ at) => ({
      id: `${id}:${at}`,
      speaker,
      text: tidy(text),
    }));
    const questions = sample(
      qas.filter((/** @type {any} */ one) => one.answers.length > 0 && one.question.split(' ').length >= 5),
      6,
    ).map((/** @type {any} */ { question, answers }) => {
      const place =
        context.length > 0 ? ends.findIndex((/** @type {number} */ at) => answers[0].answer_start < at) : -1;
      return { question: tidy(question), type: 'ubuntu', evidence: [`${id}:${place}`], gold: [id] };
    });
    return { id, turns, questions };
  });
  return rounds('molweni', read, talksAtOnce);
}
