// What a client whose person, model and roots are always at hand answers to the server's questions.

export type Answers = Record<string, { [key: string]: unknown }>;

const answers: Answers = {
  'elicitation/create': {
    action: 'accept',
    content: { name: 'Ada', username: 'ada', email: 'ada@example.org', confirm: true, ok: true, color: 'green' },
  },
  'sampling/createMessage': { role: 'assistant', model: 'none', content: { type: 'text', text: 'Paris' } },
  'roots/list': { roots: [{ uri: 'file:///work', name: 'work' }] },
};

export function answerTo(method: string): { [key: string]: unknown } {
  return answers[method] ?? {};
}

export function answerAll(questions: Record<string, { method: string }>): Answers {
  return Object.fromEntries(Object.entries(questions).map(([key, { method }]) => [key, answerTo(method)]));
}
