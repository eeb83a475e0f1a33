// Reads the labelled excerpts of public transcripts. Only labels and offsets are committed; the text comes from a folder of
// blobs (`<blob>.md`) or from bare clones (`<owner>+<name>/repo`) and is checked against the blob id.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @typedef {'keep' | 'drop' | 'either' | 'output' | 'tool'} Label */
/** @typedef {{ text: string, role: string, label: Label, needs: string[] }} Sentence */
/** @typedef {{ id: string, language: string, source: string, turns: { role: string, content: string }[], sentences: Sentence[] }} Excerpt */

const root = fileURLToPath(new URL('../../../../../', import.meta.url));

/**
 * @param {'tune' | 'held'} split
 * @param {{ blobs?: string, clones?: string }} [folders]
 * @returns {{ excerpts: Excerpt[], missing: string[] }} missing: repositories whose text is not on this machine
 */
export function readExcerpts(split, folders = {}) {
  const { blobs = `${root}shared/data/transcripts`, clones = `${root}.mirror` } = folders;
  const folder = new URL(`${split}/`, import.meta.url);
  /** @type {Excerpt[]} */
  const excerpts = [];
  /** @type {Set<string>} */
  const missing = new Set();
  for (const name of readdirSync(folder).sort()) {
    const source = name.replace('.jsonl', '').replace('+', '/');
    for (const line of readFileSync(new URL(name, folder), 'utf8').split('\n').filter(Boolean)) {
      const { id, language, blob, turns, labels } = JSON.parse(line);
      const whole = readBlob(blob, `${blobs}/${blob}.md`, `${clones}/${name.replace('.jsonl', '')}/repo`);
      if (whole === undefined) missing.add(source);
      else excerpts.push({ id, language, source, ...cut(whole, turns, labels) });
    }
  }
  return { excerpts, missing: [...missing] };
}

/** @param {string} whole @param {[string, number, number][]} turns @param {[number, number, Label, ...string[]][]} labels */
function cut(whole, turns, labels) {
  // A log renders tool calls as lines of text ("Read file: a.ts"); agents' hooks pass on only what was said.
  const called = labels.filter(([, , label]) => label === 'tool');
  return {
    turns: turns.map(([role, from, to]) => ({ role, content: leaveOut(whole, from, to, called) })),
    sentences: labels
      .filter(([, , label]) => label !== 'tool')
      .map(([from, to, label, ...needs]) => {
        const role = turns.find(([, start, end]) => from >= start && from < end)?.[0] ?? '';
        return { text: whole.slice(from, to), role, label, needs };
      }),
  };
}

/** @param {string} whole @param {number} from @param {number} to @param {[number, number, ...unknown[]][]} spans */
function leaveOut(whole, from, to, spans) {
  let text = '';
  let at = from;
  for (const [start, end] of spans) {
    if (start < at || end > to) continue;
    text += whole.slice(at, start);
    at = end;
  }
  // aider marks each line of a user's message.
  return (text + whole.slice(at, to)).replace(/^#### /gm, '');
}

/** @param {string} id @param {string} file @param {string} clone */
function readBlob(id, file, clone) {
  let bytes;
  if (existsSync(file)) bytes = readFileSync(file);
  else if (existsSync(clone))
    bytes = execFileSync('git', ['--git-dir', clone, 'cat-file', 'blob', id], { maxBuffer: 2 ** 28 });
  else return undefined;
  const hash = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
  if (hash !== id) throw new Error(`${file} is not blob ${id}`);
  return bytes.toString('utf8');
}
