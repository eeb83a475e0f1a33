// Finds users, hosts, addresses and mail in a text: by format, by the surrounding words of common log messages, and by the
// names that this machine knows.
import { isIPv6 } from 'node:net';
import type { KnownNames } from './known.ts';
import type { PseudonymKind, Pseudonyms } from './pseudonym.ts';

const user = String.raw`[\p{L}\p{N}_][\p{L}\p{N}_.$-]{0,63}`;
const host = String.raw`[a-z0-9](?:[a-z0-9-]{0,62}\.)*[a-z0-9-]{0,62}`;

interface Context {
  kind: PseudonymKind;
  /** Its groups: the prefix and the name. */
  pattern: RegExp;
}

const aroundUser = [
  String.raw`\bfor (?:invalid user |illegal user |user )?`,
  String.raw`\b(?:[Ii]nvalid|[Ii]llegal) user `,
  String.raw`\b(?:of|for|by) user `,
  String.raw`\b(?:r?user|USER|logname|acct|login|username|user_name|account)=["'<]?`,
  String.raw`\b[Uu]ser ["'“]`,
  String.raw`\b[gu]id=\d{1,10}\(`,
  String.raw`\b(?:Account|User) Name:\s{1,8}`,
  '/home/',
  '/Users/',
  String.raw`\b[A-Za-z]:\\Users\\`,
];
const aroundHost = [
  String.raw`\b(?:r?host|hostname|HOSTNAME|client|relay|helo|server)=<?`,
  String.raw`\b(?:Workstation Name|Computer|Source Workstation):\s{1,8}`,
  String.raw`\b[a-z][a-z0-9+.-]{1,15}://(?:[^\s/@]{1,100}@)?`,
];

const contexts: readonly Context[] = [
  // `for` names a user only where an address follows; nearly everything else is for something.
  {
    kind: 'user',
    pattern: new RegExp(
      `(${aroundUser[0]})(${user})(?= from (?:(?:ip|host)-[0-9a-f]{8}\\b|\\S{1,255} port \\d))`,
      'gu',
    ),
  },
  { kind: 'user', pattern: new RegExp(`(${aroundUser.slice(1).join('|')})(${user})`, 'gu') },
  // sudo's and cron's own forms.
  { kind: 'user', pattern: new RegExp(`(^\\s*)(${user})(?= : (?:TTY|PWD|command|user NOT|\\d+ incorrect))`, 'gu') },
  { kind: 'user', pattern: new RegExp(`(^\\()(${user})(?=\\) (?:CMD|RELOAD|MAIL|EXPORT))`, 'gu') },
  { kind: 'host', pattern: new RegExp(`(${aroundHost.join('|')})(${host})`, 'giu') },
  { kind: 'host', pattern: new RegExp(`(\\b(?:from|to) )(${host})(?= port \\d|\\[)`, 'giu') },
];

const forms = [
  String.raw`(?<told>\b(?:user|host|ip|mac|mail)-[0-9a-f]{8}\b)`,
  String.raw`(?<mail>\b[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24}\b)`,
  String.raw`(?<mac>(?<![\w:.-])(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}(?![\w:-]))`,
  String.raw`(?<six>(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]{0,4})(?![\w:]))`,
  String.raw`(?<four>(?<![\d.])(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?!\.?\d))`,
  String.raw`(?<sid>\bS-1-5-21(?:-\d{1,10}){3,5}\b)`,
  String.raw`(?<host>(?<![\w.@/-])(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.){1,8}(?:com|org|net|edu|gov|mil|io|dev|cloud|local|lan|internal|corp|home|intranet|localdomain)(?![\w-]|\.\w))`,
];

/** Every machine has these. */
const anybodys = /^(?:127\.|0\.0\.0\.0$|255\.255\.255\.255$|::1?$)/;
const noPerson = /^(?:root|nobody|localhost|unknown|none|null|true|false|SYSTEM|LOCAL|NETWORK|ANONYMOUS)$/i;

/** The text with other names in it. Doing it again changes nothing. */
export function createMask(pseudonyms: Pseudonyms, names: KnownNames): (text: string) => string {
  const byForm = new RegExp(
    [...forms, ...wordsOf('person', names.users), ...wordsOf('here', names.hosts)].join('|'),
    'gu',
  );
  const nameForm = (found: string, groups: Record<string, string | undefined>): string => {
    if (groups.told !== undefined) return found;
    if (groups.mail !== undefined) return pseudonyms.name('mail', found);
    if (groups.mac !== undefined) return pseudonyms.name('mac', found);
    if (groups.six !== undefined) return isIPv6(found) && !anybodys.test(found) ? pseudonyms.name('ip', found) : found;
    if (groups.four !== undefined) return anybodys.test(found) ? found : pseudonyms.name('ip', found);
    if (groups.host !== undefined || groups.here !== undefined) return pseudonyms.name('host', found);
    return pseudonyms.name('user', found);
  };
  return (text) => {
    // By form first: the context of a name may also be that of an address.
    let masked = text.replace(byForm, (found, ...rest) => nameForm(found, rest.at(-1)));
    for (const { kind, pattern } of contexts) {
      masked = masked.replace(pattern, (_, before: string, found: string) => {
        const name = found.replace(/[.-]+$/, '');
        if (noPerson.test(name) || /^\d*$/.test(name) || anybodys.test(name)) return before + found;
        return before + pseudonyms.name(kind, name) + found.slice(name.length);
      });
    }
    return masked;
  };
}

function wordsOf(group: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  // The longest first: a name may begin another.
  const sorted = [...names].sort((a, b) => b.length - a.length).map((name) => name.replace(/[^\p{L}\p{N}_]/gu, '\\$&'));
  return [`(?<${group}>(?<![\\p{L}\\p{N}_])(?:${sorted.join('|')})(?![\\p{L}\\p{N}_]))`];
}
