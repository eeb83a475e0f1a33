// Parses the output of `git log` as a stream: fields and file names end with NUL, which none of them can contain.

export interface Commit {
  hash: string;
  parents: string[];
  author: string;
  /** Distinguishes people from bots; not stored. */
  email: string;
  /** The author date, which a rebase keeps. */
  date: number;
  message: string;
  /** The first ones. */
  files: string[];
  fileCount: number;
}

const maxFiles = 200;
const longestMessage = 20_000;

/** For `git log`; the sign 1 before a hash begins a commit. */
export const logFormat = ['-z', '--name-only', '--no-renames', '--no-ext-diff', '--encoding=UTF-8'].concat(
  '--format=%x01%H%x00%P%x00%an%x00%ae%x00%aI%x00%B%x00',
);

export async function* readLog(parts: AsyncIterable<string>): AsyncGenerator<Commit> {
  let header: string[] = [];
  let commit: Commit | undefined;
  for await (const field of splitFields(parts)) {
    if (begins(field)) {
      if (commit) yield commit;
      commit = undefined;
      header = [field.slice(1)];
    } else if (commit) addFile(commit, field);
    else {
      header.push(field);
      if (header.length === 6) commit = build(header as [string, string, string, string, string, string]);
    }
  }
  if (commit) yield commit;
}

function begins(field: string): boolean {
  return field.startsWith('\u0001') && /^[0-9a-f]{40,64}$/.test(field.slice(1));
}

async function* splitFields(parts: AsyncIterable<string>): AsyncGenerator<string> {
  const rest: string[] = [];
  for await (const part of parts) {
    const fields = part.split('\0');
    const last = fields.pop() as string;
    for (const field of fields) {
      yield rest.length > 0 ? [...rest.splice(0), field].join('') : field;
    }
    rest.push(last);
  }
  if (rest.length > 0) yield rest.join('');
}

function build([hash, parents, author, email, date, message]: [
  string,
  string,
  string,
  string,
  string,
  string,
]): Commit {
  return {
    hash,
    parents: parents.split(' ').filter(Boolean),
    author,
    email,
    date: Date.parse(date),
    message: message.slice(0, longestMessage).trim(),
    files: [],
    fileCount: 0,
  };
}

function addFile(commit: Commit, field: string): void {
  const file = field.startsWith('\n') ? field.slice(1) : field;
  if (file === '') return;
  commit.fileCount++;
  if (commit.files.length < maxFiles) commit.files.push(file);
}
