// Ids of what is derived from files: the same for whoever derives it.
import { hashHex } from '../../../core/crypto.ts';
import { nameNode } from '../../../graph/project/scope.ts';

export function nameFile(project: string, path: string): string {
  return nameNode('fil', project, path);
}

/** A file's symbols lie side by side in every table, being written together. `ordinal` tells apart what it has several times. */
export function nameSymbol(file: string, qualified: string, ordinal: number): string {
  const place = file.slice('fil_'.length, 'fil_'.length + 12);
  return `sym_${place}${hashHex(`${file} ${ordinal} ${qualified}`).slice(0, 16)}`;
}
