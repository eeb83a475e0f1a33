// The program of a parsing thread: it reads, parses and describes files, so that the other thread only has to store them.
import { parentPort } from 'node:worker_threads';
import { createDescribe, type Describe } from '../../../../graph/derived/document.ts';
import { languageOf } from '../language/languages.ts';
import { markOf } from '../mark.ts';
import { describeFile } from './describe.ts';
import type { ParseAnswer, ParseJob, ParseResult } from './job.ts';
import { findMentions } from './mention.ts';
import { type CodeParser, createCodeParser } from './parser.ts';
import { isGenerated, readSource } from './source.ts';

let parser: Promise<CodeParser> | undefined;
let describe: { model: string; own: Describe } | undefined;

parentPort?.on('message', async (job: ParseJob) => {
  const results: ParseResult[] = [];
  for (const [path, hash] of job.files) results.push(await parseFile(job, path, hash));
  const moved = results.flatMap((result) =>
    'file' in result ? [result.file.terms.buffer, result.file.vectors?.buffer ?? []].flat() : [],
  );
  parentPort?.postMessage({ number: job.number, results } satisfies ParseAnswer, moved as ArrayBuffer[]);
});

async function parseFile(job: ParseJob, path: string, known: string | undefined): Promise<ParseResult> {
  const source = readSource(job.root, path, job.largest);
  if (typeof source === 'string') return { path, skip: source };
  const mark = markOf(job.model);
  if (source.hash + mark === known) return { path, same: { size: source.size, modified: source.modified } };
  const generated = isGenerated(source.text);
  if (generated) return { path, skip: generated };
  const language = languageOf(path);
  const facts = language && (await parse(source.text, language));
  if (facts && language.name === 'markdown') facts.links.mentions = findMentions(source.text);
  if (describe?.model !== job.model) describe = { model: job.model, own: createDescribe(job.model) };
  const file = describeFile({ project: job.project, path, language, source, facts }, describe.own, mark);
  return { path, file };
}

/** A grammar that fails on a text must not take the file's words with it. */
async function parse(text: string, language: NonNullable<ReturnType<typeof languageOf>>) {
  parser ??= createCodeParser();
  return (await parser).parse(text, language).catch(() => undefined);
}
