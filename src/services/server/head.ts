// What the server service is, for clients that are greeted before its code is loaded.

export const head = {
  id: 'server',
  title: 'Server',
  summary: 'report the version, services and background operations of this server.',
};
