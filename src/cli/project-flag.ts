// `--project` works with every command, before its name or after it. It replaces the variable, so that processes which this one
// starts work in the same project.
import { isPath } from '../core/path.ts';

/** These search other projects, also those without a folder on this machine, and "all". */
const searching = /^(recall|skill[_-]search)(_|$)/;

/** The arguments without `--project`, except for a tool that takes it. */
export function takeProject(args: readonly string[]): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const at = args.findIndex((word, index) => index < end && /^--project(=.|$)/s.test(word));
  if (at < 0) return [...args];
  const isInline = args[at] !== '--project';
  const value = isInline ? (args[at] as string).slice('--project='.length) : args[at + 1];
  if (value === undefined) return [...args];
  const rest = args.filter((_, index) => index !== at && (isInline || index !== at + 1));
  if (!searching.test(rest.slice(0, 2).join('_')) || isPath(value)) {
    process.env.LORE_PROJECT = value;
    return takeProject(rest);
  }
  const last = rest.includes('--') ? rest.indexOf('--') : rest.length;
  return [...rest.slice(0, last), `--project=${value}`, ...rest.slice(last)];
}
