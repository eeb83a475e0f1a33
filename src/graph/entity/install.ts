// Packages by the commands that fetch them. In a sentence only the first word after the command counts, since the rest
// is English ("npm install zod and try again"); on a line of its own or in ticks, all of them.
import type { Draft } from './draft.ts';
import { type Ecosystem, normalisePackage } from './package.ts';
import { plainEnglish } from './words.ts';

const command =
  /(?<![\w./@-])(?:(npm|pnpm|yarn|bun|deno)[ \t]+(?:global[ \t]+)?(?:install|add|i|uninstall|remove|rm|dlx|exec|update|upgrade|view|info|ci)|(npx|bunx)|(pip3?|pipx|conda|uv[ \t]+pip|uv[ \t]+tool)[ \t]+(?:install|uninstall|download)|(uv|poetry|pdm)[ \t]+(?:add|remove)|(cargo)[ \t]+(?:add|install|remove)|(go)[ \t]+(?:get|install)|(gem|brew|apt|apt-get|apk|dnf|yum|choco|winget|composer|bundle|dotnet)[ \t]+(?:install|add|require|add[ \t]+package))(?=[ \t])/g;

const ecosystems: (Ecosystem | undefined)[] = [undefined, 'npm', 'npm', 'pypi', 'pypi', 'cargo', 'go', 'system'];
const flagsWithValue =
  /^(?:-r|-c|-t|-C|-F|--(?:requirement|constraint|target|prefix|registry|index-url|extra-index-url|workspace|filter|features|vers|git|path|branch|group|source|version|tag|cwd|dir))$/;
const ownLine = /(?:^|[\n`]|&& )[ \t]*(?:[$>#%][ \t]*)?(?:sudo[ \t]+)?(?:python3?[ \t]-m[ \t]+)?$/;

export function findInstalls(draft: Draft): void {
  const { text } = draft;
  command.lastIndex = 0;
  for (let match = command.exec(text); match; match = command.exec(text)) {
    const ecosystem = ecosystems[match.findIndex((group, index) => index > 0 && group !== undefined)] as Ecosystem;
    const isCode = ownLine.test(text.slice(Math.max(0, match.index - 40), match.index));
    const isRunner = match[2] !== undefined || /(?:dlx|exec)$/.test(match[0]);
    command.lastIndex = readArguments(draft, command.lastIndex, ecosystem, isCode && !isRunner);
  }
}

/** Where reading stopped, so that no text is read twice. */
function readArguments(draft: Draft, from: number, ecosystem: Ecosystem, takesAll: boolean): number {
  const argument = /[ \t]+(["']?)([^\s"'`;|&)]{1,240})\1/y;
  argument.lastIndex = from;
  let end = from;
  let isValue = false;
  for (let match = argument.exec(draft.text); match; match = argument.exec(draft.text)) {
    const written = match[2] as string;
    const start = match.index + match[0].indexOf(written);
    if (isValue) isValue = false;
    else if (written.startsWith('-')) isValue = flagsWithValue.test(written);
    else if (!claimArgument(draft, written, start, ecosystem) || !takesAll) return argument.lastIndex;
    end = argument.lastIndex;
  }
  return end;
}

function claimArgument(draft: Draft, written: string, start: number, ecosystem: Ecosystem): boolean {
  const plain = written.replace(/[.,:!?]+$/, '');
  if (plainEnglish.has(plain.toLowerCase())) return false;
  const at = plain.indexOf('@', 1);
  const bare = ecosystem !== 'pypi' && at > 0 ? plain.slice(0, at) : plain;
  const name = normalisePackage(bare, ecosystem);
  // A sub-path is no package to install but a repository or folder.
  if (!name || (ecosystem === 'npm' && name !== bare.replace(/^(?:npm|jsr):/, '') && !name.startsWith('node:')))
    return false;
  const version = /(?:@|==|>=|~=)([~^]?v?\d[\w.-]*)$/.exec(plain.slice(1))?.[1]?.replace(/^v/, '');
  const length = plain.split(/(?<=.)[@[=<>~!]/, 1)[0]?.length ?? plain.length;
  draft.claim('package', name, start, start + length);
  if (version) {
    const operator = /(>=|~=)[^=]*$/.exec(plain)?.[1] ?? '';
    draft.claim('version', `${name} ${operator}${version}`, start, start + plain.length);
  }
  return plain === written;
}
