// Translates git's errors when it cannot reach a repository: its own texts may contain names, tokens and advice for a terminal.
import { type ErrorWord, LoreError } from '../../core/error.ts';

interface Failure {
  text: RegExp;
  word: ErrorWord;
  state: string;
  hint?: string;
}

const credentials =
  'Make `git ls-remote` work for it in a terminal first, with a credential helper, a token or an ssh key.';

/** The first match applies: a refused login also reports that nothing could be read. */
const failures: Failure[] = [
  {
    text: /could not read (?:Username|Password)|Authentication failed|HTTP Basic: Access denied|returned error: 40[13]|Permission denied|terminal prompts disabled/i,
    word: 'forbidden',
    state: 'it asks for a login that git does not have',
    hint: credentials,
  },
  {
    text: /Host key verification failed|REMOTE HOST IDENTIFICATION/i,
    word: 'forbidden',
    state: 'ssh does not know the host',
    hint: 'Connect to it once with ssh and check its key.',
  },
  {
    text: /Could not resolve (?:host|proxy)|Name or service not known|unable to look up|Temporary failure in name resolution|nodename nor servname/i,
    word: 'unavailable',
    state: 'its host cannot be found; there may be no network',
  },
  {
    text: /Failed to connect|Couldn't connect|Connection (?:refused|reset|timed out|closed)|Network is unreachable|No route to host|unable to connect|Operation timed out|Operation too slow|hung up unexpectedly|Recv failure|early EOF/i,
    word: 'unavailable',
    state: 'its host does not answer; there may be no network',
  },
  {
    text: /SSL|certificate|TLS|server verification/i,
    word: 'unavailable',
    state: 'the connection cannot be trusted',
    hint: 'Try `git ls-remote` for it in a terminal: it shows what is wrong with the certificate.',
  },
  {
    text: /transport '.*' not allowed|protocol .* not (?:allowed|supported)|is not a remote helper|remote helper/i,
    word: 'forbidden',
    state: 'this kind of address is not supported',
  },
  {
    text: /couldn't find remote ref HEAD|empty repository/i,
    word: 'not_found',
    state: 'it has no commits yet',
  },
  {
    text: /not found|does not exist|not appear to be a git repository|repository not exported|not valid: is this a git repository|returned error: 404|No such file/i,
    word: 'not_found',
    state: 'there is no such repository, or it is not shown without a login',
    hint: credentials,
  },
];

/** `action` and `url` begin the message: `clone "https://…"`. */
export function explainOnline(action: string, url: string, complaint: string): LoreError {
  const found = failures.find(({ text }) => text.test(complaint));
  const { word, state, hint } = found ?? { word: 'unavailable', state: 'git failed', hint: credentials };
  return new LoreError(word, `Cannot ${action} "${url}": ${state}`, {
    ...(hint !== undefined && { hint }),
    details: { path: 'arguments.repo', expected: 'a repository that git can reach', received: url },
    cause: new Error(complaint),
  });
}
