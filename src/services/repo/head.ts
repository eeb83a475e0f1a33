// The description of the repo service, for handshakes before its code is loaded.

export const head = {
  id: 'repo',
  title: 'Repository',
  summary: 'search, read and map code, in this repository or at any git URL.',
};
