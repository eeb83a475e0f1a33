// `--project` works with every command, before its name or after it. It replaces the variable, so that processes which this one
// starts work in the same project.

/** Tools that search every project take this as an argument. */
const everyProject = 'all';

/** The arguments without `--project`. */
export function takeProject(args: readonly string[]): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const rest: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as string;
    const inline = /^--project=(.+)$/s.exec(word)?.[1];
    const value = inline ?? (word === '--project' ? args[at + 1] : undefined);
    if (at >= end || value === undefined || value === everyProject) rest.push(word);
    else {
      process.env.LORE_PROJECT = value;
      if (inline === undefined) at++;
    }
  }
  return rest;
}
