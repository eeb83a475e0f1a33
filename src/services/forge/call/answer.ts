// What a call returns: the API's response as data, text, image or file, or an error with its status.
import { type ErrorWord, LoreError } from '../../../core/error.ts';
import { readRetryAfter } from '../../../core/outgoing/retry-after.ts';
import type { OutgoingResponse } from '../../../core/outgoing/send.ts';
import { isObject } from '../../../core/schema.ts';
import type { ProvidedAnswer } from '../../../core/tool-provider.ts';
import { isJson } from '../openapi/body.ts';
import { essenceOf } from '../openapi/operation.ts';

export interface ApiAnswer extends ProvidedAnswer {
  readonly status: number;
  readonly media_type: string;
}

export function readAnswer({ status, headers, body }: OutgoingResponse, secrets: readonly string[]): ApiAnswer {
  const contentType = headers['content-type'] ?? '';
  const type = essenceOf(contentType);
  const next = readNext(headers.link);
  const answer = { status, media_type: type, ...(next !== undefined && { next }) };
  if (body.length === 0) return answer;
  if (isText(type, body)) {
    const text = hideSecrets(decode(body, contentType), secrets);
    const data = isJson(type) || type === '' ? parse(text) : undefined;
    return { ...answer, ...(data === undefined ? { text } : { data }) };
  }
  return { ...answer, files: [{ media_type: type, bytes: body }] };
}

function isText(type: string, body: Buffer): boolean {
  if (type === '' || type === 'application/octet-stream') return type === '' && !body.subarray(0, 1_000).includes(0);
  return (
    isJson(type) ||
    type.startsWith('text/') ||
    /[/+](?:xml|yaml|javascript|x-ndjson|jsonl|x-www-form-urlencoded)$/.test(type)
  );
}

function decode(body: Buffer, contentType: string): string {
  const charset = /charset="?([\w.:-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return body.toString('utf8');
  }
}

/** Some APIs return the request that they received, or its address. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length > 3)
    .flatMap(listForms)
    .reduce((shown, secret) => shown.replaceAll(secret, '[redacted:credential]'), text);
}

/** As it is, in a URL, in a form, in JSON, and in base64. */
function listForms(secret: string): string[] {
  const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, encodeURIComponent(secret), inForm, inJson, Buffer.from(secret).toString('base64')])];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `Link: <…>; rel="next"` of RFC 8288. */
function readNext(link: string | string[] | undefined): string | undefined {
  return /<([^<>]{1,2000})>\s*;[^,<]*\brel="?next\b/i.exec([link].flat().join(', '))?.[1];
}

const words: { readonly [status: number]: ErrorWord } = {
  400: 'invalid_input',
  401: 'forbidden',
  403: 'forbidden',
  404: 'not_found',
  405: 'invalid_input',
  408: 'timeout',
  409: 'conflict',
  410: 'not_found',
  412: 'conflict',
  413: 'limit_exceeded',
  422: 'invalid_input',
  429: 'limit_exceeded',
  504: 'timeout',
};
const longestBody = 2_000;

/** The error for a response that is not a success. The API's own text is data in `details`. */
export function explainStatus(name: string, response: OutgoingResponse, answer: ApiAnswer): LoreError {
  const { status, headers } = response;
  const problem = isObject(answer.data) ? answer.data : {};
  const wait = readRetryAfter(headers['retry-after']);
  const seconds = wait === undefined ? undefined : Math.ceil(wait / 1000);
  const shown = answer.text ?? (answer.data === undefined ? undefined : JSON.stringify(answer.data));
  const state =
    status >= 300 && status < 400 ? `redirects elsewhere, which is not followed (${status})` : `answered ${status}`;
  return new LoreError(words[status] ?? 'unavailable', `Cannot run "${name}": the API ${state}`, {
    ...hintOf(status, name, seconds),
    details: {
      status,
      ...(typeof problem.title === 'string' && { title: problem.title.slice(0, 200) }),
      ...(seconds !== undefined && { retryAfterSeconds: seconds }),
      ...(shown !== undefined && { response: shown.slice(0, longestBody) }),
    },
    // Identifies the failure, so that a known fix is found.
    cause: new Error(wordsOf(problem) || (shown?.slice(0, longestBody) ?? '')),
  });
}

/** What went wrong, in the words of the API: RFC 9457, or the usual names. */
function wordsOf(problem: { readonly [name: string]: unknown }): string {
  const nested = isObject(problem.error) ? problem.error : {};
  const given = [problem, nested].flatMap(({ title, detail, message, error_description: told, error }) => [
    title,
    detail,
    message,
    told,
    error,
  ]);
  return [...new Set(given.filter((text) => typeof text === 'string'))].join('\n').slice(0, longestBody);
}

function hintOf(status: number, name: string, seconds: number | undefined): { hint?: string } {
  const [source] = name.split('_');
  if (seconds !== undefined) return { hint: `Try again in ${seconds} s.` };
  if (status === 401)
    return { hint: `The API refused the credentials. A person can enter them: lore forge login ${source}` };
  return {};
}
