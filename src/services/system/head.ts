// What the system service is, for clients that are greeted before its code is loaded.

export const head = {
  id: 'system',
  title: 'System',
  summary: 'read the logs, files and settings of this machine without a shell.',
};
