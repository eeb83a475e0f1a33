// What the context service is, for clients that are greeted before its code is loaded.

export const head = {
  id: 'context',
  title: 'Context',
  summary: 'query everything known about a topic and how it is related.',
};
