// Reads the labelled set: conversations with a verdict for each sentence, pairs of statements, statements with their kind.
// `⏎` is a line end, `¶` a new paragraph, `[- ]` what stands before a sentence without being part of it.
import { readFileSync } from 'node:fs';

/** @typedef {'tune' | 'held'} Part */
/** @typedef {{ keep: boolean, reason: string, text: string }} Labelled */
/** @typedef {{ title: string, text: string, sentences: Labelled[] }} Talk */

/** @param {Part} part @param {string} name */
function readLines(part, name) {
  return readFileSync(new URL(`${part}/${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** @param {Part} part @returns {Talk[]} */
export function readTalks(part) {
  /** @type {Talk[]} */
  const talks = [];
  let lead = '';
  for (const line of readLines(part, 'conversations')) {
    const talk = talks.at(-1);
    if (line.startsWith('== ')) talks.push({ title: line.slice(3), text: '', sentences: [] });
    else if (talk === undefined) throw new Error(`a line before the first title: ${line}`);
    else if (line.startsWith('@ ')) {
      const speaker = line.slice(2);
      lead =
        speaker === 'passage'
          ? ''
          : `${talk.text === '' ? '' : '\n\n'}${speaker[0]?.toUpperCase()}${speaker.slice(1)}: `;
    } else if (line === '¶') lead = '\n\n';
    else {
      const [, sign, reason, mark, rest] = /^([+-])(\w+) (?:\[(.+?)\])? ?(.*)$/.exec(line) ?? [];
      if (rest === undefined || reason === undefined) throw new Error(`no verdict: ${line}`);
      const text = rest.replaceAll('⏎', '\n');
      const apart = mark !== undefined || reason === 'code' || reason === 'output' || text.startsWith('#');
      talk.text += (apart && !lead.includes(':') ? '\n' : lead) + (mark ?? '') + text;
      if (apart && lead.includes(':')) talk.text = talk.text.replace(/: ([^\n]*)$/, ':\n$1');
      // Something without an end of its own takes the line.
      lead = apart || !/[.!?:…]$/.test(text) ? '\n' : ' ';
      talk.sentences.push({ keep: sign === '+', reason, text });
    }
  }
  return talks;
}

/** @param {Part} part */
export function readPairs(part) {
  return readLines(part, 'pairs').map((line) => {
    const [, label, older, newer] = /^(yes|no) {2}(.+) => (.+)$/.exec(line) ?? [];
    if (older === undefined || newer === undefined) throw new Error(`no pair: ${line}`);
    return { replaces: label === 'yes', older, newer };
  });
}

/** @param {Part} part */
export function readKinds(part) {
  return readLines(part, 'kinds').map((line) => {
    const [, kind, text] = /^(\w+) {2}(.+)$/.exec(line) ?? [];
    if (kind === undefined || text === undefined) throw new Error(`no kind: ${line}`);
    return { kind, text: text.replaceAll('⏎', '\n') };
  });
}

/** Sentences in languages other than English, each with a verdict; there is no held part. */
export function readLanguages() {
  return readLines('tune', 'languages').map((line) => {
    const [, sign, role, language, text] = /^([+-])(user|assistant) (\w+) (.+)$/.exec(line) ?? [];
    if (role === undefined || language === undefined || text === undefined) throw new Error(`no verdict: ${line}`);
    return { keep: sign === '+', role, language, text };
  });
}
