// The description of the server service, for handshakes before its code is loaded.

export const head = {
  id: 'server',
  title: 'Server',
  summary: 'report the version, services and background operations of this server.',
};
