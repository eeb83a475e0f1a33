// The description of the system service, for handshakes before its code is loaded.

export const head = {
  id: 'system',
  title: 'System',
  summary: 'read the logs, files and settings of this machine without a shell.',
};
