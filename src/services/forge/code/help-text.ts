// The help of a program, as argparse, click, commander, clap and cobra print it: its commands, options and arguments.
import { stripVTControlCharacters } from 'node:util';

export interface HelpText {
  readonly summary: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly HelpOption[];
  readonly positionals: readonly HelpPositional[];
}

export interface HelpOption {
  /** `--output`, or `-o` if there is no long form. */
  readonly flag: string;
  readonly takesValue: boolean;
  /** `INTEGER`, `file`, `string`. */
  readonly value: string;
  readonly choices?: readonly string[];
  readonly isRequired: boolean;
  readonly isRepeated: boolean;
  readonly description: string;
}

export interface HelpPositional {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isRepeated: boolean;
  readonly description: string;
}

const commandHeader = /^(?:[\w ]*\b)?(?:sub)?commands?:?$/i;
const optionHeader = /^(?:[\w ]*\b)?(?:options|flags|optional arguments):?$/i;
const argumentHeader = /^(?:positional arguments|arguments|args):?$/i;
/** Options that only print something, and commands that are no work. */
const ignoredOption = /^--?(?:h|help|version|V|show-completion|install-completion)$/;
const ignoredCommand = /^(?:help|completion|completions)$/;

interface HelpItem {
  head: string;
  text: string;
}

export function readHelp(text: string): HelpText {
  const lines = stripVTControlCharacters(text).replaceAll('\t', '    ').split('\n');
  const sections = splitSections(lines);
  const usage = readUsage(lines);
  const itemsOf = (header: RegExp) =>
    sections.filter(({ name }) => header.test(name)).flatMap(({ body }) => readItems(body, header === optionHeader));
  const described = itemsOf(argumentHeader);
  // argparse lists commands as a choice among its arguments.
  const choice = described.find(({ head }) => /^\{[^}]+\}$/.test(head));
  const nested = choice ? described.filter(({ head }) => choice.head.slice(1, -1).split(',').includes(head)) : [];
  const listed = [...itemsOf(commandHeader), ...nested].filter(({ head }) => /^[\w][\w:-]*(?:,| |$)/.test(head));
  const commands = listed.map(({ head, text: summary }) => ({
    name: (/^[\w:-]+/.exec(head) as RegExpExecArray)[0],
    summary,
  }));
  const options = itemsOf(optionHeader).flatMap(({ head, text: own }) => readOption(head, own, usage));
  return {
    summary: readSummary(lines),
    commands: [...new Map(commands.map((one) => [one.name, one])).values()].filter(
      ({ name }) => !ignoredCommand.test(name),
    ),
    options: [...new Map(options.map((one) => [one.flag, one])).values()],
    positionals: commands.length > 0 ? [] : readPositionals(usage, options, described),
  };
}

function splitSections(lines: readonly string[]): { name: string; body: string[] }[] {
  const sections: { name: string; body: string[] }[] = [];
  for (const line of lines) {
    if (/^\S[^\n]*:$/.test(line) || /^[A-Z][A-Z ]+$/.test(line))
      sections.push({ name: line.replace(/:$/, ''), body: [] });
    else sections.at(-1)?.body.push(line);
  }
  return sections;
}

/** Entries with their text, which may begin on the next line. Options begin with a dash. */
function readItems(lines: readonly string[], isOptions: boolean): HelpItem[] {
  const items: HelpItem[] = [];
  const first = lines.find((line) => line.trim() !== '');
  const indent = first === undefined ? 0 : first.length - first.trimStart().length;
  for (const line of lines) {
    const depth = line.length - line.trimStart().length;
    const [head = '', ...text] = line.trim().split(/\s{2,}/);
    // Long forms without a short one are aligned below the others; argparse indents its commands.
    const isEntry = isOptions
      ? head.startsWith('-') && depth <= indent + 4
      : head !== '' && (depth === indent || (depth <= indent + 2 && /^[\w:-]+$/.test(head)));
    if (isEntry) items.push({ head, text: text.join(' ') });
    else if (items.length > 0) (items.at(-1) as HelpItem).text += ` ${line.trim()}`;
  }
  return items.map(({ head, text }) => ({ head, text: text.replace(/\s+/g, ' ').trim() }));
}

function readUsage(lines: readonly string[]): string {
  const at = lines.findIndex((line) => /^\s*usage:/i.test(line));
  if (at < 0) return '';
  const own = (lines[at] as string).replace(/^\s*usage:\s*/i, '');
  const rest = lines.slice(at + 1);
  // cobra has one line for each form, below the word.
  if (own === '') return (rest.find((line) => line.trim() !== '') ?? '').trim();
  const end = rest.findIndex((line) => !/^\s+\S/.test(line));
  return [own, ...rest.slice(0, Math.max(end, 0))].join(' ').replace(/\s+/g, ' ').trim();
}

/** The first line that is neither usage nor a header. */
function readSummary(lines: readonly string[]): string {
  const usage = lines.findIndex((line) => /^\s*usage:/i.test(line));
  const before = lines.slice(0, Math.max(usage, 0)).find((line) => line.trim() !== '');
  const blank = lines.findIndex((line, at) => at > usage && line.trim() === '');
  const after = lines.slice(blank).find((line) => line.trim() !== '');
  const found = (before ?? (blank < 0 ? '' : after) ?? '').trim();
  return /:$/.test(found) || found.startsWith('-') ? '' : found.slice(0, 200);
}

function readOption(head: string, text: string, usage: string): HelpOption[] {
  if (!head.startsWith('-')) return [];
  const found = [...head.matchAll(/(?<=^|[\s,|/])(?:--\[no-\][\w-]+|--?[\w?][\w.-]*)/g)];
  const flags = found.map(([flag]) => flag.replace('[no-]', ''));
  const flag = flags.find((one) => one.startsWith('--') && !one.startsWith('--no-')) ?? flags[0];
  const last = found.at(-1);
  if (flag === undefined || !last || flags.some((one) => ignoredOption.test(one))) return [];
  const value = head
    .slice(last.index + last[0].length)
    .replace(/^\s*(?:\[=|=)?/, '')
    .replace(/\]$/, '')
    .trim();
  const choices = readChoices(value, text);
  // kubectl prints the default: `--watch=false:`.
  const isSwitch = value === '' || /^(?:true|false):?$/.test(value);
  const isOptionalInUsage =
    !usage.includes(flag) || new RegExp(`\\[[^\\[\\]]*${escapePattern(flag)}(?![\\w-])`).test(usage);
  return [
    {
      flag,
      takesValue: !isSwitch,
      value: value.replace(/^[<{[]|[>}\]].*$/g, ''),
      ...(choices && { choices }),
      isRequired: /[[(; ]required[\])]/.test(text) || (!isOptionalInUsage && value !== ''),
      isRepeated:
        /\.\.\.[\]>]?$/.test(value) ||
        /^(?:stringArray|strings|stringSlice|ints|list)\b/.test(value) ||
        /\bcan be (?:used|given|specified|passed|repeated)\b|\brepeatable\b/i.test(text),
      description: text.slice(0, 300),
    },
  ];
}

/** `{a,b}` of argparse, `[a|b]` of click, and the sentences of commander and clap. */
function readChoices(value: string, text: string): string[] | undefined {
  const [, inValue] = /^[{<[]([^{}<>[\]]+(?:[,|][^{}<>[\]]+)+)[}>\]]?/.exec(value) ?? [];
  const [, clap, commander] = /\[possible values: ([^\]]+)\]|\(choices: ([^)]+?)(?:, default[^)]*)?\)/.exec(text) ?? [];
  const listed = inValue ?? clap ?? commander;
  return listed?.split(/[,|]/).map((one) => one.trim().replace(/^["']|["']$/g, ''));
}

function readPositionals(
  usage: string,
  options: readonly HelpOption[],
  described: readonly HelpItem[],
): HelpPositional[] {
  const values = new Set(options.map(({ value }) => value));
  // Without options and their values.
  const plain = usage
    .replace(/\[(?:options?|flags|-[^\]]*)\]/gi, ' ')
    .replace(/(?<![\w-])--?[\w-]+(?:[ =](?:<[^>]+>|\{[^}]+\}|[A-Z_]+))?/g, ' ')
    .replace(/\s--\s/g, ' ');
  if (/[(|]/.test(plain))
    return [{ name: 'arguments', isRequired: false, isRepeated: true, description: usage.slice(0, 300) }];
  const words = plain.match(/\[[^\]]*\](?:\.{3})?|<[^>]*>(?:\.{3})?|[^\s[<]+/g)?.slice(1) ?? [];
  const texts = new Map(described.map(({ head, text }) => [nameOf(head), text]));
  const found = words.flatMap((word): HelpPositional[] => {
    const isMarked = /^(?:\[?<|\[)/.test(word) || /^[A-Z][A-Z0-9_-]*(?:\.{3})?$/.test(word) || texts.has(nameOf(word));
    const name = nameOf(word);
    if (!isMarked || name === '' || values.has(name) || /^(?:options|flags)$/i.test(name)) return [];
    return [
      { name, isRequired: !word.startsWith('['), isRepeated: word.includes('...'), description: texts.get(name) ?? '' },
    ];
  });
  // argparse repeats the name: `file [file ...]`.
  const merged = new Map<string, HelpPositional>();
  for (const one of found) {
    const before = merged.get(one.name);
    merged.set(one.name, before ? { ...before, isRepeated: true } : one);
  }
  return [...merged.values()];
}

function nameOf(word: string): string {
  return /[A-Za-z][\w-]*/.exec(word)?.[0].toLowerCase().replaceAll('-', '_') ?? '';
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
