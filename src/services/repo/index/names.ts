// Ids of what is derived from files: the same for whoever derives it.
import { nameNode } from '../../../graph/scope.ts';

export function nameFile(project: string, path: string): string {
  return nameNode('fil', project, path);
}

/** `ordinal` tells apart what a file has several times. */
export function nameSymbol(project: string, path: string, qualified: string, ordinal: number): string {
  return nameNode('sym', project, path, qualified, String(ordinal));
}
