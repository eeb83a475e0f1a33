// Deterministic ids of derived nodes, the same in every process.
import { hashHex } from '../../../core/crypto.ts';
import { nameNode } from '../../../graph/project/scope.ts';

export function nameFile(project: string, path: string): string {
  return nameNode('fil', project, path);
}

/** The symbols of a file are neighbours in every table. `ordinal` distinguishes equal names. */
export function nameSymbol(file: string, qualified: string, ordinal: number): string {
  const place = file.slice('fil_'.length, 'fil_'.length + 12);
  return `sym_${place}${hashHex(`${file} ${ordinal} ${qualified}`).slice(0, 16)}`;
}
