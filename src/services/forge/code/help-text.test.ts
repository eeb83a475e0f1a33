// The help of programs, as each library prints it.
import { expect, it } from 'vitest';
import { readHelp } from './help-text.ts';

const argparse = `usage: notes add [-h] [-p {low,high}] [--count N] --owner OWNER [--tag TAG]
                 [-q]
                 text [files ...]

Add a note.

positional arguments:
  text                  the text of the note
  files                 attachments

options:
  -h, --help            show this help message and exit
  -p {low,high}, --priority {low,high}
                        how urgent it is
  --count N             copies
  --owner OWNER         who writes it
  --tag TAG             a tag; can be given multiple times
  -q                    quiet
`;
const click = `Usage: cli.py greet [OPTIONS] NAME [OTHERS]...

  Greet a person.

Options:
  --count INTEGER       How often.  [default: 1]
  --color [red|blue]    The colour.
  --shout / --no-shout  Loudly.
  --token TEXT          Who you are.  [required]
  --help                Show this message and exit.
`;
const commander = `Usage: shop add [options] <item> [more...]

add items

Options:
  -o, --out <file>  write here (default: "x.txt")
  --size <size>     the size (choices: "small", "large")
  --dry-run         do nothing
  -h, --help        display help for command
`;
const clap = `Copies files

Usage: tool copy [OPTIONS] <SOURCE> [TARGET]

Arguments:
  <SOURCE>  What to copy
  [TARGET]  Where to

Options:
  -m, --mode <MODE>    How to copy [default: fast] [possible values: fast, safe]
  -f, --force          Overwrite
      --exclude <GLOB>...  What to leave out
  -h, --help           Print help
`;
const cobra = `Create and run a new container from an image

Usage:  docker container run [OPTIONS] IMAGE [COMMAND] [ARG...]

Options:
      --add-host list                    Add a custom host-to-IP mapping
                                         (host:ip)
  -d, --detach                           Run container in background
      --cpu-count int                    CPU count (Windows only)
`;
const kubectl = `Display one or many resources.

Options:
    -A, --all-namespaces=false:
\tIf present, list all.

    -o, --output='':
\tOutput format.

Usage:
  kubectl get (TYPE[.VERSION] [NAME | -l label]) [flags] [options]
`;

/** The options and arguments on one line; a star is required, dots are repeated. */
function summarize(text: string): string {
  const { options, positionals } = readHelp(text);
  const marks = (one: { isRequired: boolean; isRepeated: boolean }) =>
    `${one.isRequired ? '*' : ''}${one.isRepeated ? '…' : ''}`;
  return [
    ...positionals.map((one) => `${one.name}${marks(one)}`),
    ...options.map((one) => `${one.flag}${one.takesValue ? `=${one.choices?.join('|') ?? ''}` : ''}${marks(one)}`),
  ].join(' ');
}

it.each([
  ['argparse', argparse, 'text* files… --priority=low|high --count= --owner=* --tag=… -q'],
  ['click', click, 'name* others… --count= --color=red|blue --shout --token=*'],
  ['commander', commander, 'item* more… --out= --size=small|large --dry-run'],
  ['clap', clap, 'source* target --mode=fast|safe --force --exclude=…'],
  ['cobra', cobra, 'image* command arg… --add-host=… --detach --cpu-count='],
  ['kubectl', kubectl, 'arguments… --all-namespaces --output='],
])('help: reads that of %s', (_, text, expected) => {
  expect(summarize(text)).toBe(expected);
});

it.each([
  [
    'argparse',
    'usage: n [-h] {add,list} ...\n\npositional arguments:\n  {add,list}\n    add       add a note\n    list      list notes\n',
  ],
  ['click', 'Usage: n [OPTIONS] COMMAND [ARGS]...\n\nCommands:\n  add   add a note\n  list  list notes\n'],
  [
    'commander',
    'Usage: n [options] [command]\n\nCommands:\n  add [options] <text>  add a note\n  list  list notes\n  help [command]  display help\n',
  ],
  ['clap', 'Usage: n <COMMAND>\n\nCommands:\n  add   add a note\n  list  list notes\n  help  Print this message\n'],
  [
    'cobra',
    'Usage:\n  n [command]\n\nAvailable Commands:\n  add         add a note\n  completion  Generate the script\n  list        list notes\n\nFlags:\n  -h, --help   help\n',
  ],
])('help: lists the commands of %s', (_, text) => {
  expect(readHelp(text).commands).toEqual([
    { name: 'add', summary: 'add a note' },
    { name: 'list', summary: 'list notes' },
  ]);
});

it('help: has a summary and no colours', () => {
  expect(readHelp(argparse).summary).toBe('Add a note.');
  expect(readHelp(`\u001b[1m${cobra}\u001b[0m`).summary).toBe('Create and run a new container from an image');
  expect(readHelp('')).toEqual({ summary: '', commands: [], options: [], positionals: [] });
});
