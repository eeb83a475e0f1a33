// Opens a graph for a program that starts while its server may be away.
import { LoreError } from '../../src/core/error.ts';
import { type OpenGraph, openGraph } from '../../src/graph/open.ts';

export async function openPatiently(location: string): Promise<OpenGraph> {
  for (;;) {
    try {
      return await openGraph(location);
    } catch (error) {
      if (!(error instanceof LoreError) || error.word !== 'unavailable') throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
