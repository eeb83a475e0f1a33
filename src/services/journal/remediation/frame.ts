// Stack frames as module and function, without folders, lines and columns. Frames of the runtimes are in every trace and are
// skipped.

const forms: readonly [RegExp, (match: RegExpExecArray) => string][] = [
  // at java.base/java.util.Objects.requireNonNull(Objects.java:208)
  [
    /^at (?:[\w.-]{1,40}(?:@[\w.]{1,20})?\/)?((?:[\w$]{1,80}\.){1,20})([\w$<>]{1,80})\([^)]{0,120}\)/,
    ([, type = '', name]) => `${lastOf(type)}.${name}`,
  ],
  // at async Server.handle (/srv/app/server.js:10:5)
  [
    /^at (?:async |new )?([\w$.<>#]{1,120})(?: \[as [\w$]{1,60}\])? \(([^()]{0,300})/,
    ([, name = '', place = '']) => `${moduleOf(place)}.${lastOf(name)}`,
  ],
  // File "app/main.py", line 3, in run
  [
    /^File "([^"]{1,300})", line \d{1,7}(?:, in ([\w<>.]{1,80}))?/,
    ([, place = '', name = '']) => `${moduleOf(place)}.${name}`,
  ],
  // main.(*Server).handle(0xc000010000, ...)
  [
    /^((?:[\w-]{1,60}[./]){0,12}(?:\(\*?\w{1,60}\)\.)?[\w.]{1,60})\((?:0x|\.\.\.|\{|\))/,
    ([, name = '']) => name.replace(/^.*\//, '').replace(/[(*)]/g, ''),
  ],
  // 4: shop::cart::total
  [
    /^\d{1,3}: {1,3}(?:0x[0-9a-f]{1,16} - )?([A-Za-z_<][\w<>$]{0,80}(?:::[\w<>${}#]{1,80}){1,12})/,
    ([, name = '']) => name.split('::').slice(-2).join('.'),
  ],
];
const runtime =
  /^(?:node:|internal|Module\._|process|Thread|Method|reflect|runtime|std|core|rust_|__libc|_start|panicking|rt\.|backtrace|gopanic|testing|asyncio|threading|importlib|_bootstrap|runpy)/;
/** Lines of traces and code excerpts that are not frames. */
const around =
  /^(?:at .{0,300}|\.\.\. \d+ (?:more|common frames).*|Traceback \(most recent call last\):?|goroutine \d+ \[.*|created by .*|\/?[\w./@-]+\.go:\d+(?: \+0x[0-9a-f]+| \(0x[0-9a-f]+\))?|stack backtrace:|(?:-->|=|\||\d+ \|).*|[\^~ ─╭╰│|-]+|> ?\d+ \|.*|File ".*)$/;

export function readFrame(line: string): string | undefined {
  for (const [form, nameOf] of forms) {
    const match = form.exec(line);
    if (!match) continue;
    const name = nameOf(match);
    return runtime.test(name) || /node:internal|\(native\)|java\.base/.test(line) ? '' : name.toLowerCase();
  }
  return undefined;
}

export function isTrace(line: string): boolean {
  return around.test(line.slice(0, 400));
}

function lastOf(name: string): string {
  return name.replace(/\.$/, '').replace(/^.*\./, '');
}

function moduleOf(place: string): string {
  return place
    .replace(/(?::\d{1,7}){1,2}$/, '')
    .replace(/^.*[/\\]/, '')
    .replace(/\.\w{1,5}$/, '');
}
