// Names by which programs tell one failure from another: classes of exceptions, codes of systems, compilers, package
// managers and databases. Each has a space of its own in which two different names mean two different failures, and a
// weight: how much it says when two errors share it.
import { sqlStateOf } from './codes-sql.ts';

export interface Code {
  name: string;
  space: string;
  /** From 0, "something failed", to 1, "exactly this failed". */
  weight: number;
}

const systemNames = new Set(
  `E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EAGAIN EAI_AGAIN EAI_FAIL EAI_NONAME EALREADY EBADENGINE EBADF EBADPLATFORM EBUSY
  ECANCELED ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDQUOT EEXIST EFAULT EFBIG EHOSTDOWN EHOSTUNREACH EINTEGRITY EINTR
  EINVAL EINVALIDTAGNAME EIO EISDIR EISGIT EJSONPARSE ELOOP EMFILE EMISSINGARG EMLINK EMSGSIZE ENAMETOOLONG ENEEDAUTH ENETDOWN
  ENETUNREACH ENFILE ENOBUFS ENODEV ENOENT ENOEXEC ENOLOCK ENOMEM ENOSPC ENOSYS ENOTCACHED ENOTCONN ENOTDIR ENOTEMPTY ENOTFOUND
  ENOTSOCK ENOTSUP ENOVERSIONS ENOWORKSPACES EOPNOTSUPP EOTP EOVERRIDE EPERM EPIPE EPROTO EPUBLISHCONFLICT ERANGE ERESOLVE EROFS
  ESOCKETTIMEDOUT ESRCH ESTALE ETARGET ETIMEDOUT ETXTBSY EUNSUPPORTEDPROTOCOL EUNSUPPORTEDPROXY EUSAGE EXDEV
  CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT_LOCALLY
  UNABLE_TO_VERIFY_LEAF_SIGNATURE MODULE_NOT_FOUND CrashLoopBackOff ImagePullBackOff ErrImagePull OOMKilled
  CreateContainerConfigError SIGSEGV SIGKILL SIGABRT SIGBUS SIGILL SIGFPE SIGPIPE`.split(/\s+/),
);
/** Met wherever anything is looked for, opened or written: what matters is what. */
const frequentNames: Record<string, number> = { ENOENT: 0.5, EACCES: 0.55, EPERM: 0.55, EINVAL: 0.4, EEXIST: 0.5 };
const errnoNames: Record<string, string> = {
  1: 'EPERM',
  2: 'ENOENT',
  12: 'ENOMEM',
  13: 'EACCES',
  17: 'EEXIST',
  20: 'ENOTDIR',
  21: 'EISDIR',
  24: 'EMFILE',
  28: 'ENOSPC',
  32: 'EPIPE',
  48: 'EADDRINUSE',
  98: 'EADDRINUSE',
  104: 'ECONNRESET',
  110: 'ETIMEDOUT',
  111: 'ECONNREFUSED',
};

/** Classes that say nothing: anything may be one. */
const emptyClasses =
  /^(?:Error|Exception|Failure|Warning|Throwable|Runtime(?:Error|Exception)|InternalError|UnknownError|FetchError|AxiosError|AggregateError|ExecutionException|CompletionException|InvocationTargetException|ServletException|NestedServletException|CalledProcessError|SystemError|LoreError|DeprecationWarning)$/;
/** Classes that every program throws for all sorts of reasons. */
const frequentClasses = new Set(
  `TypeError ReferenceError SyntaxError RangeError EvalError URIError ValueError KeyError IndexError AttributeError NameError
  ImportError OSError IOError AssertionError LookupError ArithmeticError NotImplementedError ConnectionError TimeoutError
  DatabaseError OperationalError ProgrammingError IntegrityError ValidationError ConfigError ParseError HTTPError HttpError
  ApiError APIError AuthenticationError SequelizeDatabaseError QueryFailedError error IllegalArgumentException
  IllegalStateException IOException SQLException PSQLException UnsupportedOperationException
  DataIntegrityViolationException ConstraintViolationException BeanCreationException DataAccessException HttpException
  PrismaClientKnownRequestError PrismaClientInitializationError ImproperlyConfigured SocketException ConnectException
  MojoExecutionException MojoFailureException UncheckedIOException GradleException AssertionFailedError`.split(/\s+/),
);

type Reader = (match: RegExpMatchArray) => Code | undefined;

const readers: readonly [RegExp, Reader][] = [
  [
    /(?<![\w$/@-])(?:[A-Za-z_][\w$]{0,60}(?:\.|::|\\)){0,12}([A-Z][A-Za-z0-9_]{0,80}?(?:Error|Exception|Violation|Interrupt|Failure|NotFound|Timeout|Exit|Iteration))(?=$|[\s:;,)\]}'"([])/g,
    ([, name = '']) => ofClass(name),
  ],
  // What Python raises need not say that it is an error.
  [/^(?:[a-z_]\w{0,60}\.){1,8}([A-Z]\w{2,80})(?=:|$)/g, ([, name = '']) => ofClass(name)],
  [/(?<![\w-])(?:E[A-Z0-9_]{2,24}|[A-Z][A-Za-z_]{4,40})(?![\w-])/g, ([name]) => ofSystem(name)],
  [/\[(?:Errno|WinError) (\d{1,5})\]/g, ([, code = '']) => ofSystem(errnoNames[code] ?? '')],
  [/(?<!\w)(?:net::)?(ERR_[A-Z0-9_]{2,60})(?!\w)/g, ([, name = '']) => ({ name, space: 'errno', weight: 0.9 })],
  [/^(?:code|npm ERR! code) ([A-Z][A-Z0-9_]{2,40})$/g, ([, name = '']) => ofManager(name)],
  [/(?<!\w)code['"]?[:=] ?['"]([A-Z][A-Za-z0-9_]{3,40})['"]/g, ([, name = '']) => ofProperty(name)],
  [/(?<![\w-])((?:TS|CS|BC|FS|LNK|MSB|NETSDK|NU|SC|DL|PGRST|RUF|YN|NG|NX|P1|P2|P3)0?\d{3,5})(?![\w-])/g, ofCompiler],
  [/(?<![\w-])(E0\d{3})(?![\w-])/g, ofCompiler],
  [/(?<![\w-])((?:ORA|PLS|TNS|SQL|DB2|HHH|ARJUNA|SIP|JBAS)-?\d{4,6})(?![\w-])/g, ofCompiler],
  [/(?:(?:^|error |error: |\[|\()([A-Z]{1,4}\d{3,5}))(?=[\]):]|$)/g, ofCompiler],
  [/ ([A-Z]\d{3})(?= [A-Z[`'])/g, ofCompiler],
  [/(?<!\w)ts\((\d{4,5})\)/g, ([, code]) => ({ name: `TS${code}`, space: 'TS', weight: 1 })],
  [/(?<!\w)SQLITE_[A-Z_]{3,40}(?!\w)/g, ([name]) => ({ name, space: 'sqlite', weight: 0.9 })],
  [/(?<!\w)ERROR (\d{4}) \([0-9A-Z]{5}\)/g, ([, code]) => ({ name: `MySQL ${code}`, space: 'mysql', weight: 1 })],
  [
    /(?<!\w)(?:panic: |panic serving |panic recovered|runtime error: )/g,
    () => ({ name: 'panic', space: 'class', weight: 0.3 }),
  ],
  [/rpc error: code = (\w{2,30})/g, ([, name]) => ({ name: `gRPC ${name}`, space: 'grpc', weight: 0.6 })],
  [/(?<!\w)signal(?: |: )(?:\d{1,2}, )?(SIG[A-Z]{2,5})(?!\w)/g, ([, name = '']) => ofSystem(name)],
  [
    /(?<!\w)exit(?:ed)?(?: with)?(?: (?:code|status))?[ :=(]{1,3}(12[67]|13[0-9]|143)(?!\w)/gi,
    ([, code]) => ({ name: `exit code ${code}`, space: 'exit', weight: 0.5 }),
  ],
  [
    /(?<!\w)(?:HTTP(?:\/[\d.]{1,3})?|status(?: ?code)?|returned error|response status)[ :=]{1,3}([45]\d\d)(?![\w.])/gi,
    ofStatus,
  ],
  [
    /(?<![\w.$-])([45]\d\d) (?:Bad Request|Unauthorized|Forbidden|Not Found|Conflict|Too Many Requests|Internal Server Error|Bad Gateway|Service Unavailable|Gateway Time-?out|Payload Too Large)/gi,
    ofStatus,
  ],
  // The rule of a linter or type checker ends its line.
  [
    /(?:\[|\s)((?:-W)?(?:@?[a-z]+\/)?[a-z]+(?:-[a-z]+)+)\]?$/g,
    ({ 1: name = '', input = '', index = 0 }) =>
      /(?:error|warning)\b/.test(input) &&
      (input[index] === '[' || /^\d+:\d+\s/.test(input) || /\s{2}$/.test(input.slice(0, index + 2)))
        ? { name, space: 'rule', weight: 0.9 }
        : undefined,
  ],
];

/** Each once, those that say most first. */
export function findCodes(line: string): Code[] {
  const found = new Map<string, Code>();
  const add = (code: Code | undefined) => {
    if (code && (found.get(code.name)?.weight ?? -1) < code.weight) found.set(code.name, code);
  };
  for (const [pattern, read] of readers) for (const match of line.matchAll(pattern)) add(read(match));
  const state = sqlStateOf(line);
  if (state !== undefined) add({ name: `SQLSTATE ${state}`, space: 'sqlstate', weight: 1 });
  return [...found.values()].sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1)).slice(0, 6);
}

function ofClass(name: string): Code | undefined {
  if (emptyClasses.test(name)) return undefined;
  return { name, space: 'class', weight: frequentClasses.has(name) ? 0.35 : 0.65 };
}

function ofSystem(name: string): Code | undefined {
  return systemNames.has(name) ? { name, space: 'errno', weight: frequentNames[name] ?? 0.8 } : undefined;
}

/** A package manager's own word for what went wrong; that a script failed is none. */
function ofManager(name: string): Code | undefined {
  return name === 'ELIFECYCLE' || /^\d+$/.test(name) ? undefined : { name, space: 'errno', weight: 1 };
}

function ofProperty(name: string): Code | undefined {
  return /^[0-9A-Z]{5}$/.test(name) && /\d/.test(name)
    ? undefined
    : { ...ofManager(name), ...{ name, space: 'errno', weight: frequentNames[name] ?? 0.9 } };
}

const notCodes = /^(?:UTF|SHA|ISO|RFC|MD|AES|RSA|X|H|V|IPV|GH|PR|ID|ES|UTC|GMT|HTTP|BASE|INT|UINT|FLOAT)\d/;

function ofCompiler({ 1: name = '' }: RegExpMatchArray): Code | undefined {
  return notCodes.test(name) ? undefined : { name, space: name.replace(/-?\d.*$/, ''), weight: 1 };
}

function ofStatus({ 1: status }: RegExpMatchArray): Code {
  return { name: `HTTP ${status}`, space: 'http', weight: 0.45 };
}
