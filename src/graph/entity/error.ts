// Names of failures: classes, system and compiler codes, exit and HTTP statuses. Numbers count only in words that say
// what they are.
import type { Draft } from './draft.ts';

const systemErrors = new Set(
  `E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EAGAIN EAI_AGAIN EAI_FAIL EAI_NONAME EALREADY EBADENGINE EBADF EBADMSG EBUSY
  ECANCELED ECHILD ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDESTADDRREQ EDOM EDQUOT EEXIST EFAULT EFBIG EHOSTDOWN
  EHOSTUNREACH EILSEQ EINPROGRESS EINTEGRITY EINTR EINVAL EIO EISCONN EISDIR EJSONPARSE ELIFECYCLE ELOOP EMFILE EMLINK
  EMSGSIZE ENAMETOOLONG ENEEDAUTH ENETDOWN ENETUNREACH ENFILE ENOBUFS ENODEV ENOENT ENOEXEC ENOLCK ENOMEM ENOSPC ENOSYS
  ENOTCONN ENOTDIR ENOTEMPTY ENOTFOUND ENOTSOCK ENOTSUP ENOTTY ENXIO EOPNOTSUPP EOTP EOVERFLOW EPERM EPIPE EPROTO
  EPROTONOSUPPORT ERANGE ERESOLVE EROFS ESPIPE ESRCH ESTALE ETARGET ETIMEDOUT ETXTBSY EUNSUPPORTEDPROTOCOL EUSAGE
  EWOULDBLOCK EXDEV MODULE_NOT_FOUND OOMKilled CrashLoopBackOff ImagePullBackOff KeyboardInterrupt StopIteration
  SystemExit SIGSEGV SIGKILL SIGABRT SIGBUS SIGILL SIGFPE SIGPIPE SIGTERM SIGINT SIGHUP`.split(/\s+/),
);

/** Linux numbers, as Python prints them. */
const errnoNames: Record<string, string> = {
  1: 'EPERM',
  2: 'ENOENT',
  11: 'EAGAIN',
  12: 'ENOMEM',
  13: 'EACCES',
  17: 'EEXIST',
  20: 'ENOTDIR',
  21: 'EISDIR',
  22: 'EINVAL',
  24: 'EMFILE',
  28: 'ENOSPC',
  32: 'EPIPE',
  98: 'EADDRINUSE',
  104: 'ECONNRESET',
  110: 'ETIMEDOUT',
  111: 'ECONNREFUSED',
};

const reasons =
  'Bad Request|Unauthorized|Forbidden|Not Found|Method Not Allowed|Conflict|Gone|Payload Too Large|Unprocessable|' +
  'Too Many Requests|Internal Server Error|Not Implemented|Bad Gateway|Service Unavailable|Gateway Time-?out';
const afterStatus = 'errors?|responses?|status|from|for|on|when|because|while|if|after|until|in|at|and|or|but|instead';
const answered =
  '(?:returns?|returned|got|gets|get|getting|gave|gives|threw|throws|respond(?:s|ed) with|answers?|answered)';

type Name = (match: RegExpMatchArray) => string | undefined;

const patterns: [RegExp, Name][] = [
  // TypeError, java.lang.NullPointerException, requests.exceptions.ConnectionError: the last word is the name.
  [
    /(?<![\w$@#-])(?:[a-z_]\w{0,40}(?:\.|::)){0,6}([A-Z]\w{0,60}?(?:Error|Exception|Warning))s?(?!\w)/g,
    ([, name]) => (name && /[a-z]/.test(name) ? name : undefined),
  ],
  [/(?<![\w$#])(?:[a-z]\w{0,30}\.)?(Err[A-Z][A-Za-z0-9]{2,40})(?![\w(])/g, ([, name]) => name],
  [/(?<!\w)(?:net::)?(ERR_[A-Z0-9_]{2,60})(?!\w)/g, ([, name]) => name],
  [/(?<![\w-])[A-Z][A-Za-z0-9_]{2,30}(?![\w-])/g, ([name]) => (systemErrors.has(name) ? name : undefined)],
  [
    /(?<![\w-])(?:E0\d{3}|TS\d{4,5}|CS\d{4}|SC\d{4}|LNK\d{4}|MSB\d{4}|NETSDK\d{4}|PGRST\d{3}|(?:ORA|PLS|TNS)-\d{5})(?![\w-])/g,
    ([name]) => name,
  ],
  [/(?<!\w)ts\((\d{4,5})\)/g, ([, code]) => `TS${code}`],
  [/(?<!\w)SQLITE_[A-Z_]{3,40}(?!\w)/g, ([name]) => name],
  [/(?<!\w)SQLSTATE[\s:=[]{1,3}(\d[0-9A-Z]{4}|[0-9A-Z]{2}\d[0-9A-Z]{2})(?!\w)\]?/g, ([, code]) => `SQLSTATE ${code}`],
  [/(?<!\w)ERROR (\d{4}) \([0-9A-Z]{5}\)/g, ([, code]) => `MySQL ${code}`],
  [/\[Errno (\d{1,3})\]/g, ([, code]) => errnoNames[code as string] ?? `Errno ${code}`],
  [/(?<!\w)WinError (\d{1,5})(?!\w)/g, ([, code]) => `WinError ${code}`],
  [/(?<!\w)0x(?:800[0-9A-F]{5}|C0000[0-9A-F]{3})(?!\w)/gi, ([code]) => `0x${code.slice(2).toUpperCase()}`],
  [/(?<!\w)(?:segmentation fault|segfault(?:s|ed)?)(?!\w)/gi, () => 'SIGSEGV'],
  [
    /(?<!\w)exit(?:s|ed)?(?: with)?(?: an?)?(?: (?:non-?zero )?(?:exit )?(?:code|status)(?: of)?[ :=]{1,2}| with | \()(\d{1,3})(?![\w.%])\)?/gi,
    ([, code]) => (Number(code) === 0 ? undefined : `exit code ${Number(code)}`),
  ],
  [/(?<!\w)HTTP(?:\/[\d.]{1,3})?(?: (?:status|error|code)){0,2}[ :]{1,2}([45]\d\d)(?![\w.%])/gi, toHttp],
  [/(?<!\w)status(?:[ _]?code)?(?: of)?[ :=]{1,3}([45]\d\d)(?![\w.%])/gi, toHttp],
  [new RegExp(`(?<![\\w.$-])([45]\\d\\d)(?: -)? (?:${reasons})(?!\\w)`, 'gi'), toHttp],
  [
    new RegExp(
      `(?<!\\w)${answered} (?:an? |the )?([45]\\d\\d)s?(?=[.,;:!?)]?(?:\\s*$|[.,;:!?)](?:\\s|$))| (?:${afterStatus})(?!\\w))`,
      'gim',
    ),
    toHttp,
  ],
  [/(?<![\w.$-])([45]\d\d) (?:errors?|responses?|status)(?!\w)(?! ?(?:lines|rows|times))/gi, toHttpIfSingular],
];

export function findErrors(draft: Draft): void {
  for (const [pattern, nameOf] of patterns) {
    for (const match of draft.text.matchAll(pattern)) {
      const name = nameOf(match);
      if (name) draft.claim('error', name, match.index, match.index + match[0].length);
    }
    draft.settle();
  }
}

function toHttp(match: RegExpMatchArray): string {
  return `HTTP ${match[1]}`;
}

/** "a 404 error" is one, "404 errors" may be a count. */
function toHttpIfSingular(match: RegExpMatchArray): string | undefined {
  const before = match.input?.slice(Math.max(0, (match.index ?? 0) - 5), match.index) ?? '';
  return /errors$|responses$/i.test(match[0]) || !/(?:^|\W)(?:an?|the|this|that) $/i.test(before)
    ? undefined
    : toHttp(match);
}
