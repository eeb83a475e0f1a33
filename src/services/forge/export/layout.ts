// Names in the folder of an exported server, for the program that writes it and the one that runs in it.

/** The source, its document and its catalog. */
export const dataFolder = 'data';
export const programFile = 'server.mjs';
