// Lists the documents in a folder: files of known formats, without ignored and hidden files, packages and links.

import { nameInside } from '../../../core/path.ts';
import { type TreeSkip, walkTree } from '../../../files/tree.ts';
import { formatOfFile } from './chunk/document-format.ts';
import type { DocumentSkip } from './read-file.ts';

interface Walked {
  /** Names from the project's root, in order. */
  names: string[];
  /** Number of skipped files, by reason. */
  skipped: { [reason in DocumentSkip | TreeSkip]?: number };
  /** Unreadable folders, whose documents stay valid. */
  unreadable: string[];
}

const mostFiles = 20_000;
/** Maximum number of folders and files visited. */
const mostEntries = 500_000;

export async function walkFolder(folder: string, root: string, signal?: AbortSignal): Promise<Walked> {
  const walked: Walked = { names: [], skipped: {}, unreadable: [] };
  const skip = (reason: keyof Walked['skipped']) => {
    walked.skipped[reason] = (walked.skipped[reason] ?? 0) + 1;
  };
  const files = walkTree(root, {
    from: nameInside(folder, root),
    measure: false,
    most: mostEntries,
    leaveOut: (name) => name.startsWith('.') || name === 'node_modules',
    onSkip(reason, path) {
      skip(reason);
      if (reason === 'unreadable') walked.unreadable.push(path);
    },
    signal,
  });
  for await (const { path } of files) {
    if (walked.names.length >= mostFiles) {
      skip('beyond_limit');
      break;
    }
    if (formatOfFile(path)) walked.names.push(path);
    else skip(/\.pdf$/i.test(path) ? 'pdf' : 'other');
  }
  return walked;
}
