// Finds names that identify failures: classes of exceptions, and codes of systems, compilers, package managers and databases.
// In each space, two different names mean two different failures. The weight is the evidence that a shared name gives.

export interface Code {
  name: string;
  space: string;
  /** From 0, "something failed", to 1, "exactly this failed". */
  weight: number;
}

/** Capitalised words with E that are not error codes of a system. */
const plainCapitals =
  /^E(?:ACH|ARLY|CHO|DGE|LF|LIFECYCLE|LSE|MAIL|MPTY|NABLED?|NCODING|ND(?:ED|IF|POINT)?|NGINE|NTRY(?:POINT)?|NUM|NV|OF|POCH|RR(?:ORS?)?|SCAPE|SLINT|SM|TAG|VENTS?|XAMPLE|XCEPTIONS?|XEC(?:UTE)?|XISTS?|XIT(?:ED)?|XPECTED|XPLAIN|XPORTS?|XPOSE|XT(?:ENSION|RA)?)$/;
/** Parts of capitalised names that denote a failure and not a setting. */
const failing =
  /(?:^|_)(?:ERR|ERROR|FAIL(?:ED|URE)?|ABORTED|BAD|BLOCKED|BUSY|CLOSED|CONFLICT|CORRUPT|DENIED|DUPLICATE|EXCEEDED|EXHAUSTED|EXISTS|EXPIRED|FORBIDDEN|ILLEGAL|INCOMPATIBLE|INVALID|LOCKED|MISMATCH|MISSING|NOT|OVERFLOW|PRECONDITION|REFUSED|REJECTED|RESET|SELF|TIMED|TIMEOUT|TOO|UNABLE|UNAUTHENTICATED|UNAUTHORIZED|UNAVAILABLE|UNKNOWN|UNREACHABLE|UNRESOLVED|UNSUPPORTED|VIOLATION)(?:_|$)/;
/** Frequent codes, which say little without the object. */
const frequentNames: Record<string, number> = { ENOENT: 0.5, EACCES: 0.55, EPERM: 0.55, EINVAL: 0.4, EEXIST: 0.5 };

/** Generic classes, which say nothing. */
const emptyClasses =
  /^(?:Error|Exception|Failure|Warning|Throwable|Runtime(?:Error|Exception)|InternalError|UnknownError|FetchError|AxiosError|AggregateError|ExecutionException|CompletionException|InvocationTargetException|ServletException|NestedServletException|CalledProcessError|SystemError|LoreError|DeprecationWarning)$/;
/** Classes thrown for many reasons. */
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

/** By form, for all programs. */
const readers: readonly [RegExp, Reader][] = [
  [
    /(?<![\w$/@-])(?:[A-Za-z_][\w$]{0,60}(?:\.|::|\\)){0,12}([A-Z][A-Za-z0-9_]{0,80}?(?:Error|Exception|Violation|Interrupt|Failure|NotFound|Timeout|Exit|Iteration|Fault|Denied|Exceeded|Refused|Mismatch|Expired|Unavailable))(?=$|[\s:;,)\]}'"([])/g,
    ([, name = '']) => ofClass(name),
  ],
  // Exceptions of Python and Ruby need no suffix such as Error.
  [/^(?:[A-Za-z_]\w{0,60}(?:\.|::)){1,8}([A-Z]\w{2,80})(?=:(?!:)|$)/g, ([, name = '']) => ofClass(name)],
  [/^([A-Z][a-z]{1,20}(?:[A-Z][a-z]{1,20}){1,5})(?=: )/g, ([, name = '']) => ofClass(name)],
  [/(?<![\w$-])(?:E[A-Z][A-Z0-9]{2,24}|EAI_[A-Z]{4,12})(?![\w-])/g, ([name]) => ofSystem(name)],
  [/(?<![\w$./-])[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){1,8}(?![\w/-]|=)/g, ([name]) => ofCapitals(name)],
  [/^(?:code|npm ERR! code) ([A-Z][A-Z0-9_]{2,40})$/g, ([, name = '']) => ofManager(name)],
  [
    /(?<!\w)(?:code|[rR]eason|status)['"]?[:=] ?['"]?([A-Z][A-Za-z0-9_]{3,60})(?![\w.])/g,
    ([, name = '']) => ofProperty(name),
  ],
  // An error occurred (NoSuchBucket) when …, Error from server (NotFound): …
  [
    /(?<!\w)(?:[Ee]rror|[Ff]ailed|FAILED)(?: [a-z]{2,20}){0,4} ?[([]([A-Z][A-Za-z]{3,60}(?:\.[A-Z][A-Za-z]{2,60}){0,3})[)\]]/g,
    ([, name = '']) => ofProperty(name),
  ],
  [/(?<![\w.])(?:[A-Z][a-z]{1,20}){1,4}(?:BackOff|Killed|Evicted)(?!\w)/g, ([name]) => ofReason(name)],
  [/(?<![\w.])(?:Failed|Err|Create)(?:[A-Z][a-z]{2,20}){1,4}(?:Error)?(?!\w)/g, ([name]) => ofReason(name)],
  [/(?<![\w-])([A-Z]{2,8}-?\d{4,6})(?![\w-])/g, ofCompiler],
  [/(?:(?:^|error |warning |error: |\[|\()([A-Z]{1,8}\d{3,5}))(?=[\]):]|$)/g, ofCompiler],
  [
    /(?:SQLSTATE|SQL state|sqlstate)[\s:=[(]{0,3}([0-9A-Z]{5})(?!\w)|(?<!\w)code['"]?[:=] ?['"]?([0-9][0-9A-Z]{4}|[A-Z]{2}\d{3})(?!\w)/g,
    (found) => ofState(found[1] ?? found[2] ?? ''),
  ],
  [/(?<!\w)ts\((\d{4,5})\)/g, ([, code]) => ({ name: `TS${code}`, space: 'TS', weight: 1 })],
  [
    /(?:^|(?<!\w)(?:ERROR|[Ee]rror(?: [Cc]ode)?:?) )(\d{4})(?: \([0-9A-Z]{5}\)|:|\.)|\((\d{4}), ["']|(?:\] \[|^errno['"]?: )(\d{4})(?!\d)|^(?:[^:]{0,80}: ){0,4}(\d{4}) (?=[A-Z])/g,
    (found) => ofNumber(found[1] ?? found[2] ?? found[3] ?? found[4] ?? ''),
  ],
  [
    /(?<!\w)(?:panic: |panic serving |panic recovered|runtime error: )/g,
    () => ({ name: 'panic', space: 'class', weight: 0.3 }),
  ],
  // Rules of linters, type checkers and compilers are in brackets or at the end of the line.
  [
    /(?:[[(]|\s)((?:-W)?(?:@?[a-z]+(?:-[a-z]+)*\/){0,2}[a-z0-9]+(?:-[a-z0-9+]+)+)(?:,-Werror)?[\])]?\.?$/g,
    ({ 1: name = '', input = '', index = 0 }) =>
      (input[index] === '[' && /\]$/.test(input)) ||
      (input[index] === '(' && name.includes('/')) ||
      (/(?:error|warning)\b/i.test(input) && (/^\d+:\d+\s/.test(input) || /\s{2}$/.test(input.slice(0, index + 1))))
        ? { name, space: 'rule', weight: 0.9 }
        : undefined,
  ],
  [/(?<!\w)status=(\d{1,3}\/[A-Z_]{2,30})(?!\w)/g, ([, name = '']) => ofUnit(name)],
];

/** A general class of states says little. */
function ofState(code: string): Code | undefined {
  const weight = /^(?:HY|0[18]|2[23]|42)000$/.test(code) ? 0.35 : 1;
  return /\d/.test(code) ? { name: `SQLSTATE ${code}`, space: 'sqlstate', weight } : undefined;
}

/** Distinct codes, most significant first. */
export function findCodes(line: string): Code[] {
  const found = new Map<string, Code>();
  const add = (code: Code | undefined) => {
    if (code && (found.get(code.name)?.weight ?? -1) < code.weight) found.set(code.name, code);
  };
  for (const [pattern, read] of readers) for (const match of line.matchAll(pattern)) add(read(match));
  return [...found.values()].sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1)).slice(0, 6);
}

function ofClass(name: string): Code | undefined {
  if (emptyClasses.test(name)) return undefined;
  if (frequentClasses.has(name)) return { name, space: 'class', weight: 0.35 };
  return { name, space: 'class', weight: 0.65 };
}

function ofSystem(name: string): Code | undefined {
  return plainCapitals.test(name) ? undefined : { name, space: 'errno', weight: frequentNames[name] ?? 0.8 };
}

function ofCapitals(name: string): Code | undefined {
  return failing.test(name) ? { name, space: 'errno', weight: 0.9 } : undefined;
}

/** A package manager's own code; a failed script is not one. */
function ofManager(name: string): Code | undefined {
  return name === 'ELIFECYCLE' || /^\d+$/.test(name) ? undefined : { name, space: 'errno', weight: 1 };
}

function ofProperty(name: string): Code | undefined {
  if (/^[0-9A-Z]{5}$/.test(name) && /\d/.test(name)) return undefined;
  if (/^[A-Z0-9_]+$/.test(name)) {
    return plainCapitals.test(name) ? undefined : { name, space: 'errno', weight: frequentNames[name] ?? 0.9 };
  }
  return /(?:Error|Exception)$/.test(name) && frequentClasses.has(name) ? ofClass(name) : ofReason(name);
}

function ofReason(name: string): Code {
  return { name, space: 'reason', weight: 0.85 };
}

const notCodes =
  /^(?:UTF|SHA|ISO|RFC|MD|AES|RSA|X|H|V|IPV|GH|PR|ID|ES|UTC|GMT|HTTP|HY|BASE|INT|UINT|FLOAT|CP|PORT|PID|LINE|RTX|GTX|ARM|AMD|IEEE|WINDOWS|ERROR|YEAR)-?\d/;

function ofCompiler({ 1: name = '' }: RegExpMatchArray): Code | undefined {
  return notCodes.test(name) ? undefined : { name, space: name.replace(/-?\d.*$/, ''), weight: 1 };
}

/** A database's error number; years and ports are excluded. */
function ofNumber(number: string): Code | undefined {
  return /^(?!20[2-4]\d)[1-3]\d{3}$/.test(number)
    ? { name: `number ${number}`, space: 'number', weight: 0.9 }
    : undefined;
}

function ofUnit(name: string): Code | undefined {
  return /^1\/|SUCCESS/.test(name) ? undefined : { name: `status ${name}`, space: 'unit', weight: 0.8 };
}

/** Ignores spelling: PERMISSION_DENIED and PermissionDenied; ExpiredToken and ExpiredTokenException. */
export function isSameCode({ name: a }: Code, { name: b }: Code): boolean {
  if (a === b) return true;
  const isPlain = /_/.test(a) === /_/.test(b);
  return foldCode(a, isPlain) === foldCode(b, isPlain);
}

function foldCode(name: string, isPlain: boolean): string {
  const stem = isPlain ? name.replace(/(?<=[a-z][A-Z][a-z]{2,})(?:Error|Exception|Fault)$/, '') : name;
  return stem.replace(/[_-]/g, '').toLowerCase();
}
