// The description of the context service, for handshakes before its code is loaded.

export const head = {
  id: 'context',
  title: 'Context',
  summary: 'query everything known about a topic and how it is related.',
};
