// The descriptions of the system's services, for handshakes before their code is loaded.

/** `system` stands for all three in settings. */
const group = 'system';

export const eventlogHead = { id: 'eventlog', group, title: 'Event log', summary: 'read the logs of this machine.' };
export const fsHead = { id: 'fs', group, title: 'Files', summary: 'find files and folders on this machine.' };
export const regHead = {
  id: 'reg',
  group,
  title: 'Settings',
  summary: 'read and change the settings of this machine.',
};
