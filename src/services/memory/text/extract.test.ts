// What learn keeps: plain facts whole, with their reason and context, and none of the talk around them.
import { describe, expect, it } from 'vitest';
import { plainFacts } from '../../../../test/support/plain-facts.ts';
import { extractFacts } from './extract.ts';

function keptOf(text: string): string[] {
  return extractFacts(text).facts.map((fact) => fact.text);
}

describe('extractFacts', () => {
  it('keeps plain facts whole, alone, in a passage and in a conversation', () => {
    for (const fact of plainFacts) expect(keptOf(fact)).toEqual([fact]);
    expect(keptOf(plainFacts.join(' '))).toEqual(plainFacts);
    expect(keptOf(`User: Hi! ${plainFacts.join(' ')} Can you check?\n\nAssistant: Sure! Let me look.`)).toEqual(
      plainFacts,
    );
  });

  it.each([
    ['decision', 'User: We decided to keep the monolith for another year.'],
    ['decision', "User: let's go with RabbitMQ, replay is not something we need"],
    ['preference', 'User: I prefer early returns over nested ifs.'],
    ['correction', 'User: we moved from PostgreSQL to CockroachDB in May'],
    ['correction', 'User: No, actually the cache is Valkey now.'],
    ['fix', 'User: The crash happened because the session middleware was registered after the router.'],
    ['rule', 'User: Never push directly to main.'],
    ['rule', 'User: Benutze immer pnpm, niemals npm.'],
    ['rule', 'User: 总是使用 pnpm，不要用 npm。'],
    ['gotcha', 'User: Careful: the middleware order also matters for CSRF.'],
    ['fact', 'User: The billing service is written in Go and runs on port 8443.'],
  ])('gives the reason %s to %s', (reason, text) => {
    expect(extractFacts(text).facts).toMatchObject([{ reason, said: text.replace(/^\w+: /, '') }]);
  });

  it.each([
    ['question', 'User: Which port does the gateway use?'],
    ['unlikely', 'User: thanks, looks great'],
    ['unlikely', 'User: Add a button to the header.'],
    ['unlikely', 'User: In this app, create a guard that checks the key.'],
    ['unlikely', "Assistant: I'll run the tests now."],
    ['unlikely', 'Assistant: Added a test in src/user.test.ts.'],
    ['unlikely', 'Assistant: It might be a race between the two jobs.'],
    ['unlikely', 'User: If we had more people, we would split the frontend.'],
    ['unlikely', "Assistant: Let me know if you'd like anything changed."],
    ['output', 'User: [2026-02-11T09:14:02.113Z] INFO  seeding 12 tables'],
    ['output', 'Assistant: TOOL RESULT: "{\\"memories\\":[{\\"id\\":\\"1\\",\\"text\\":\\"The port is 8443.\\"}]}"'],
    ['output', 'Assistant: The answer is {"port": 8443, "host": "example.test"} for the gateway.'],
    ['output', 'Assistant: */\\nexport const MAX_ATTEMPTS = 6;\\n\\nexport function retry() {} is the file.'],
    ['quotation', 'Assistant: The gateway listens on 8443 (n_mwiczb6sa1b2c3d4e5f60718).'],
    ['quotation', 'Assistant: Memory n_0123456789abcdef01234567 says that the gateway listens on 8443.'],
    ['private', 'User: The gateway of <private>Acme</private> listens on 8443.'],
    ['code', 'Assistant:\n```ts\nexport const port = 8443;\n```'],
    ['unlikely', 'User: This one here is the other.'],
  ])('drops a %s: %s', (reason, text) => {
    expect(extractFacts(text)).toEqual({ facts: [], dropped: { [reason]: 1 } });
  });

  it('adds the context that a sentence needs', () => {
    const { facts } = extractFacts('The API gateway is written in Go. It listens on 8443. Deploys go out on Tuesdays.');
    expect(facts.map(({ context }) => context)).toEqual([undefined, 'The API gateway is written in Go.', undefined]);
    const list = extractFacts(
      'The worker does two things:\n\n- polls the queue every 5 seconds\n- writes to the ledger',
    );
    expect(list.facts.every(({ context }) => context === 'The worker does two things:')).toBe(true);
    const table = extractFacts('| service | port |\n|---|---|\n| gateway | 8443 |');
    expect(table.facts).toMatchObject([{ text: '| gateway | 8443 |', context: '| service | port |' }]);
  });

  it('adds the question to an answer, and drops unresolved references', () => {
    const { facts } = extractFacts(
      'Assistant: Are webhook deliveries retried?\n\nUser: Yes, always up to 8 times with exponential backoff.',
    );
    expect(facts).toMatchObject([
      { text: 'Always up to 8 times with exponential backoff.', context: 'Are webhook deliveries retried?' },
    ]);
    const talk = extractFacts(
      'Ana: Where do the backups go?\n\nBen: Good question!! The backups go to the bucket in Dublin. We keep them for 30 days.\n\nAna: Thanks.\n\nBen: Sure.',
    );
    expect(talk.facts).toMatchObject([
      { text: 'The backups go to the bucket in Dublin.', context: 'Where do the backups go?' },
      { text: 'We keep them for 30 days.' },
    ]);
    expect(talk.facts[1]).not.toHaveProperty('context');
    expect(extractFacts('User: It listens on 8443.\n\nAssistant: Noted.').facts).toEqual([]);
    expect(extractFacts('User: And please always use pnpm.').facts).toMatchObject([{ text: 'Always use pnpm.' }]);
  });

  it('keeps the dated events of a conversation between people', () => {
    const talk = (ana: string, ben: string) =>
      keptOf(`${ana}: Woohoo!\n\n${ben}: Hey!\n\n${ana}: I passed the interviews last Friday!\n\n${ben}: Great!`);
    expect(talk('Ana', 'Ben')).toEqual(['I passed the interviews last Friday!']);
    expect(talk('User', 'Assistant')).toEqual([]);
  });

  it('stores what it was asked to remember, without the request', () => {
    const { facts } = extractFacts(
      'User: ok thanks. Please remember: the zebra is called Joe!\n\nAssistant: Remember: eat.',
    );
    expect(facts).toMatchObject([{ text: 'The zebra is called Joe!', confidence: 0.95 }]);
  });

  it('records speaker and time', () => {
    const line = { type: 'user', timestamp: '2026-01-02T10:00:00Z', message: { role: 'user', content: plainFacts[0] } };
    expect(extractFacts(JSON.stringify(line)).facts).toMatchObject([
      { role: 'user', turn: 0, at: '2026-01-02T10:00:00Z' },
    ]);
  });

  it('keeps a repeated sentence once, and only the best when there are too many', () => {
    expect(extractFacts(`${plainFacts[0]}\n\n${plainFacts[0]}`)).toMatchObject({ facts: [{}], dropped: { repeat: 1 } });
    const many = Array.from({ length: 300 }, (_, i) => `Service ${i} listens on port ${8000 + i}.`).join('\n');
    const { facts, dropped } = extractFacts(`${many}\nNever push directly to main.`);
    expect(facts).toHaveLength(200);
    expect(dropped).toEqual({ 'over the limit': 101 });
    expect(extractFacts(many, { limit: 5 }).facts).toHaveLength(5);
  });

  it.each([
    'a',
    '. ',
    '(',
    '` ',
    '[{',
    '{"role":',
    'User: hi\n',
    'e.g. ',
    '1. ',
    '|a|b|\n',
    'we moved from ',
    'if we ',
    'to run , ',
    '<think>',
    '```\n',
    '数据库。',
    '\ud800',
    '\0',
    '- ',
    '**a** - ',
    'key: v\n',
  ])('reads 100 KB of %j', (piece) => {
    const text = piece.repeat(100_000 / piece.length);
    const { facts } = extractFacts(text);
    expect(facts.length).toBeLessThanOrEqual(200);
    for (const fact of facts) expect(text).toContain(fact.said);
  });

  it('keeps statements in other languages', () => {
    expect(keptOf('Die Datenbank ist PostgreSQL 15 und läuft auf drei Knoten.')).toHaveLength(1);
    expect(keptOf('主数据库是 PostgreSQL 15。端口是 8443 吗？')).toEqual(['主数据库是 PostgreSQL 15。']);
  });
});
