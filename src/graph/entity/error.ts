// Finds names of errors: classes, system and compiler codes, exit and HTTP statuses. Numbers count only with words that
// identify them.
import type { EntityDraft } from './draft.ts';

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
  [/\[Errno (\d{1,3})\]/g, ([, code]) => `Errno ${code}`],
  [/(?<!\w)WinError (\d{1,5})(?!\w)/g, ([, code]) => `WinError ${code}`],
  [/(?<!\w)0x(?:800[0-9A-F]{5}|C0000[0-9A-F]{3})(?!\w)/gi, ([code]) => `0x${code.slice(2).toUpperCase()}`],
  [/(?<!\w)(?:segmentation fault|segfault(?:s|ed)?)(?!\w)/gi, () => 'SIGSEGV'],
  [
    /(?<!\w)exit(?:s|ed)?(?: with)?(?: an?)?(?: (?:non-?zero )?(?:exit )?(?:code|status)(?: of)?[ :=]{1,2}| with | \()(\d{1,3})(?![\w.%])\)?/gi,
    ([, code]) => (Number(code) === 0 ? undefined : `exit code ${Number(code)}`),
  ],
  [/(?<!\w)HTTP(?:\/[\d.]{1,3})?(?: (?:status|error|code)){0,2}[ :]{1,2}([45]\d\d)(?![\w.%])/gi, toHttp],
  [/(?<!\w)status(?:[ _]?code)?(?: of)?[ :=]{1,3}([45]\d\d)(?![\w.%])/gi, toHttp],
];

export function findErrors(draft: EntityDraft): void {
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
