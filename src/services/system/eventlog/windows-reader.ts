// The event log of Windows, with wevtutil. A channel is named only after it was found in the list of all; the filter is an
// expression of our own making, into which a value goes only when it cannot end the quotes around it.
import { LoreError } from '../../../core/error.ts';
import { type Program, runProgram, streamProgram } from '../../../core/program/program.ts';
import { type Level, levels } from './entry.ts';
import { cursorError, type LogQuery, type LogReader } from './reader.ts';
import { decodeWide, readEvent, splitEvents } from './windows-event.ts';

interface WindowsOptions {
  program?: string;
}

const knownMs = 60_000;
const numbersOf: Record<Level, readonly number[]> = {
  CRITICAL: [1],
  ERROR: [2],
  WARNING: [3],
  INFORMATION: [0, 4],
  VERBOSE: [5],
};

export function createWindowsReader(options: WindowsOptions = {}): LogReader {
  const { program = `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\wevtutil.exe` } = options;
  const run = (args: readonly string[], action: string, signal: AbortSignal): Program => ({
    program,
    args: [...args, '/uni:true'],
    action,
    signal,
    encoding: 'latin1',
    explain: (status, complaint) => explain(action, status, complaint),
  });
  const ask = async (args: readonly string[], action: string, signal: AbortSignal) => {
    const output = await runProgram({ maxBytes: 8 * 1024 * 1024, ...run(args, action, signal) });
    const parts: string[] = [];
    for await (const part of decodeWide(once(output))) parts.push(part);
    return parts.join('').split(/\r?\n/);
  };
  let known: { at: number; channels: string[] } | undefined;
  const listChannels = async (signal: AbortSignal) => {
    if (known && performance.now() - known.at < knownMs) return known.channels;
    const lines = await ask(['el'], 'list the event logs', signal);
    known = { at: performance.now(), channels: lines.map((line) => line.trim()).filter((line) => line !== '') };
    return known.channels;
  };
  return {
    list: async (signal) => (await listChannels(signal)).map((name) => ({ name })),
    async resolve(name, signal) {
      const lower = name.toLowerCase();
      const found = (await listChannels(signal)).find((channel) => channel.toLowerCase() === lower);
      // wevtutil treats such a name as an option, even if it is in the list.
      return found?.startsWith('/') ? undefined : found;
    },
    async *read(query) {
      const action = `read log "${query.log}"`;
      const args = ['qe', query.log, '/rd:true', '/f:RenderedXml', ...countOf(query), `/q:${writeQuery(query)}`];
      const events = splitEvents(decodeWide(streamProgram(run(args, action, query.signal))));
      for await (const xml of events) {
        const found = readEvent(xml, query.log);
        if (found) yield [found];
      }
    },
    async bound(log, signal) {
      const lines = await ask(['gli', log], `measure log "${log}"`, signal);
      const count = lines
        .map((line) => /^numberOfLogRecords: (\d+)/i.exec(line)?.[1])
        .find((each) => each !== undefined);
      return count === undefined ? undefined : Number(count);
    },
  };
}

async function* once(text: string): AsyncGenerator<string, void, void> {
  yield text;
}

function isQuotable(value: string): boolean {
  return !/['"]/.test(value);
}

/** No filter is left for this process. */
function countOf({ source, text, eventId, atMost }: LogQuery): string[] {
  const isCounted = text === undefined && isQuotable(source ?? '') && (eventId === undefined || eventId.length < 32);
  return isCounted && Number.isFinite(atMost) ? [`/c:${atMost}`] : [];
}

function writeQuery({ minLevel, source, eventId, since, until, after }: LogQuery): string {
  if (after !== undefined && !/^\d{1,16}$/.test(after)) throw cursorError();
  const least = minLevel === undefined || minLevel === 'VERBOSE' ? -1 : levels.indexOf(minLevel);
  const numbers = levels.slice(0, least + 1).flatMap((level) => numbersOf[level]);
  const times = [
    ...(since === undefined ? [] : [`@SystemTime>='${new Date(since).toISOString()}'`]),
    ...(until === undefined ? [] : [`@SystemTime<='${new Date(until).toISOString()}'`]),
  ];
  const conditions = [
    ...(numbers.length === 0 ? [] : [`(${numbers.map((number) => `Level=${number}`).join(' or ')})`]),
    ...(source === undefined || !isQuotable(source) ? [] : [`Provider[@Name='${source}']`]),
    ...(eventId === undefined || eventId.length >= 32 ? [] : [`(EventID=${Number(eventId)})`]),
    ...(times.length === 0 ? [] : [`TimeCreated[${times.join(' and ')}]`]),
    ...(after === undefined ? [] : [`(EventRecordID<${after})`]),
  ];
  return conditions.length === 0 ? '*' : `*[System[${conditions.join(' and ')}]]`;
}

function explain(action: string, status: number, complaint: string): LoreError | undefined {
  // Errors of the system by number: its words depend on its language.
  if (status === 5 || /denied/i.test(complaint)) {
    return new LoreError('forbidden', `Cannot ${action}: this user may not read it`, {
      hint: 'A person can add the user to the group Event Log Readers.',
    });
  }
  if (status === 15007) return new LoreError('not_found', `Cannot ${action}: there is no such log`);
  return undefined;
}
