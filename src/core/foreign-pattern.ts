// Regular expressions from outside: some take longer than the age of the universe to match a short text. Those that may are
// stopped after a moment, and the text counts as matching: whoever gets it checks it anyway.

const longestMs = 30;
/** On a busy machine the time may pass without this process running. */
const mostTries = 10;

export interface ForeignPattern {
  test(text: string): boolean;
}

/** Throws if it is not a regular expression. */
export function compilePattern(source: string, flags: string): ForeignPattern {
  const pattern = new RegExp(source, flags);
  if (isLinear(source)) return pattern;
  return { test: (text) => testBriefly(pattern, text) };
}

/** At most one part that repeats without a limit, and no group that does. */
function isLinear(source: string): boolean {
  const repeats = source.match(/(?<!\\)(?:[*+]|\{\d+,(?:\d*)\})/g)?.length ?? 0;
  return repeats <= 1 && !/\)(?:[*+]|\{\d)/.test(source);
}

let run: ((pattern: RegExp, text: string) => boolean) | undefined;

function testBriefly(pattern: RegExp, text: string): boolean {
  run ??= createRunner();
  for (let tries = 0; tries < mostTries; tries++) {
    const before = process.cpuUsage();
    try {
      return run(pattern, text);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      const { user, system } = process.cpuUsage(before);
      if (user + system > (longestMs / 2) * 1_000) return true;
    }
  }
  return true;
}

function createRunner(): (pattern: RegExp, text: string) => boolean {
  const { createContext, Script } = process.getBuiltinModule('node:vm');
  const given: { pattern?: RegExp; text?: string } = createContext({});
  const script = new Script('pattern.test(text)');
  return (pattern, text) => {
    Object.assign(given, { pattern, text });
    return script.runInContext(given, { timeout: longestMs }) as boolean;
  };
}
