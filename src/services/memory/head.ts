// The description of the memory service, for handshakes before its code is loaded.

export const head = {
  id: 'memory',
  title: 'Memory',
  summary:
    'recall what is known before you search or guess; remember facts, rules, decisions and fixes as you find them.',
};
