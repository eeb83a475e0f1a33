// Sentences as people say them to an assistant, and as agents note them down: frames of our own with WordNet's common words
// in them. The registry has few conversations under a permissive licence; the teacher says what each sentence means.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom, type Random, shuffle } from './random.ts';

/** Keyed by WordNet's lexicographer file. */
const frames: Record<string, readonly string[]> = {
  '04': [
    "I've been doing {w} twice a week.",
    'Any tips for {w}?',
    'How long does {w} usually take?',
    'I gave up {w} last year.',
  ],
  '05': ['We saw a {w} on our walk.', 'My kids want a {w}.', 'How do you look after a {w}?'],
  '06': [
    'I bought a new {w} yesterday.',
    'Do you know how to fix a {w}?',
    'My {w} broke again.',
    'Where did I leave the {w}?',
    "I'm thinking of getting a {w} for my flat.",
    'Which {w} would you recommend?',
  ],
  '08': ['My {w} has been hurting since Monday.', 'The doctor looked at my {w}.'],
  '09': ['I keep thinking about {w}.', 'Can you explain {w} in simple words?', 'We agreed on the {w}.'],
  '10': ['She sent me a {w} this morning.', 'I am writing a {w} and need some help.', 'Did you get my {w}?'],
  '11': ['There was a {w} in town last weekend.', 'What time does the {w} start?'],
  '12': ["I've been feeling a lot of {w} lately.", 'How do I deal with {w}?'],
  '13': [
    'I had {w} for dinner last night.',
    'Can you suggest a recipe with {w}?',
    "I don't really like {w}.",
    'We ran out of {w}.',
  ],
  '14': ['I joined a {w} in my neighbourhood.', 'Our {w} meets on Thursdays.'],
  '15': ['We travelled to {w} last summer.', 'What should I see in {w}?', 'My parents grew up in {w}.'],
  '18': [
    'My sister works as a {w}.',
    'I talked to a {w} last week.',
    'My friend is a {w}.',
    'I need to find a good {w}.',
  ],
  '20': ['I planted some {w} in the garden.', 'How often should I water a {w}?'],
  '21': ['How much {w} do I need?', 'I am trying to save some {w}.'],
  '26': ['I was diagnosed with {w}.', 'He recovered from {w}.', 'The situation is one of {w}.'],
  '27': ['The table is made of {w}.', 'Is {w} safe to use at home?'],
  '28': ['We will do it in {w}.', 'I started about a {w} ago.'],
  verb: [
    'How do I {w} it?',
    'I forgot to {w} yesterday.',
    'Please remember to {w} first.',
    'Never {w} without asking me.',
    'It started to {w} all of a sudden.',
  ],
  adj: ['It was really {w}.', 'She seems {w} today.', 'I want something more {w}.', 'The answer is too {w}.'],
};

const parts = [
  'login page|database|cache|build|test suite|search index|config file|API client|background worker|message queue|upload form|payment service|command line|web socket|docker image|release script|migration|log file|type checker|linter|browser extension|mobile app|dashboard|cron job|proxy|parser|scheduler|editor plugin|package lock|feature flag|rate limiter|vector store|tokenizer|router|session store|email template|git hook|CI pipeline|file watcher|memory server|access token|backup|translation file|error handler|data model|user profile|invoice|image resizer|service worker|state machine|dependency graph'.split(
    '|',
  ),
  'fails|hangs|is slow|returns nothing|crashes on start|uses too much memory|must be restarted|was rewritten|is deprecated|was moved to its own package|needs a new owner|is not covered by tests|was removed|leaks file handles|retries for ever|loses data|ignores the settings|breaks on Windows|is generated|is read-only|runs twice|is encrypted|has a race condition|times out|prints a warning|was renamed|is flaky|is documented in the wiki|blocks the event loop|has the wrong permissions'.split(
    '|',
  ),
  'because the disk is full|when the network is down|since the last upgrade|after a refactoring|on Node 20|under load|because of a circular import|in production only|until the token expires|if two users write at once|when the input is empty|because the version is pinned|for security reasons|to save money|as agreed with the team|when run as root|because the schema changed|on large files|after midnight|with strict mode on|because a variable is undefined|when the certificate expires|if the file does not exist|on slow machines|before the first release'.split(
    '|',
  ),
  'We decided that the {p}|Remember: the {p}|Bug: the {p}|Why is it that the {p}|It turned out that the {p}|Note that the {p}|The {p}|fix: the {p}|He prefers that the {p}|The user reported that the {p}'.split(
    '|',
  ),
] as const;

export function writeFrames(wordnet: string, known: ReadonlyMap<string, number>): string[] {
  const random = createRandom('frames');
  const texts = ['noun', 'verb', 'adj'].flatMap((part) =>
    [...readWords(join(wordnet, 'dict', `data.${part}`), part, known)].flatMap(([word, file]) =>
      shuffle([...(frames[file] ?? [])], random)
        .slice(0, 2)
        .map((frame) => frame.replace('{w}', word)),
    ),
  );
  const notes = Array.from({ length: 12_000 }, () => {
    const [part, state, cause, opening] = parts.map((list) => pick(list, random)) as [string, string, string, string];
    return `${opening.replace('{p}', part)} ${state}${random() < 0.7 ? ` ${cause}` : ''}.`;
  });
  return shuffle([...new Set([...texts, ...notes])], random);
}

function pick(list: readonly string[], random: Random): string {
  return list[Math.floor(random() * list.length)] as string;
}

/** The first sense listed of every word the teacher knows whole. */
function readWords(path: string, part: string, known: ReadonlyMap<string, number>): Map<string, string> {
  const words = new Map<string, string>();
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const fields = line.split(' ');
    const word = fields[4]?.replace(/\(\w+\)$/, '') ?? '';
    if (line.startsWith(' ') || !/^[a-z]{3,}$/i.test(word) || !known.has(word.toLowerCase())) continue;
    if (!words.has(word)) words.set(word, part === 'noun' ? (fields[1] as string) : part);
  }
  return words;
}
