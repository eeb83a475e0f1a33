// The event logs of macOS and Windows, read with programs that this machine has not got: recorded output in their published
// forms, and how they are called. Wine's wevtutil accepts everything and says nothing, so it can show no more than this.
import { describe, expect, it } from 'vitest';
import { createMacosReader } from '../../src/services/system/eventlog/macos.ts';
import { createWindowsReader } from '../../src/services/system/eventlog/windows-reader.ts';
import { injections, messages, openEventLog, readAll } from '../support/eventlog.ts';
import { playProgram } from '../support/recorded.ts';

const now = Date.parse('2025-07-26T22:20:00Z');

/** One line as `log show --style ndjson` writes it. */
function macosLine(seconds: number, message: string, fields: object = {}): string {
  const at = new Date(now - seconds * 1000).toISOString().replace('T', ' ').replace('Z', '');
  return JSON.stringify({
    timezoneName: '',
    messageType: 'Default',
    eventType: 'logEvent',
    subsystem: 'com.apple.xpc',
    threadID: 64102,
    bootUUID: 'E312ED28-914E-4C3C-9B9E-4926AFCCD890',
    processImagePath: '/sbin/launchd',
    timestamp: `${at}123+0000`,
    machTimestamp: 1_000_000 - seconds,
    eventMessage: message,
    traceID: 0,
    processID: 1,
    ...fields,
  });
}

describe('macOS, from recorded output', () => {
  const lines = [
    macosLine(50, 'oldest', { processImagePath: '/kernel', processID: 0 }),
    macosLine(40, 'an activity', { eventType: 'activityCreateEvent' }),
    macosLine(30, 'went wrong', { messageType: 'Error', processImagePath: '/usr/sbin/sshd' }),
    macosLine(20, 'worse', { messageType: 'Fault' }),
    macosLine(10, 'newest'),
    '{"count":5,"finished":1}',
  ];
  const open = () => {
    const recorded = playProgram('log', { show: `${lines.join('\n')}\n` });
    return { recorded, reader: createMacosReader({ program: recorded.program, now: () => now }) };
  };

  it('is returned newest first, with types as levels and programs as sources', async () => {
    const { query, logs } = await openEventLog(open().reader);
    expect(await logs()).toEqual(['system', 'kernel', 'application', 'security']);
    const { entries } = await query('System', { limit: 4 });
    expect(entries.map(({ level, source, message }) => [level, source, message])).toEqual([
      ['INFORMATION', 'launchd', 'newest'],
      ['CRITICAL', 'launchd', 'worse'],
      ['ERROR', 'sshd', 'went wrong'],
      ['INFORMATION', 'kernel', 'oldest'],
    ]);
    expect(entries[0]).toMatchObject({ id: 999_990, timestamp: '2025-07-26T22:19:50.000Z', eventId: 0 });
  });

  it('continues after a page, and stops at the end of the range', async () => {
    const { recorded, reader } = open();
    const { query } = await openEventLog(reader);
    const since = new Date(now - 60_000).toISOString();
    const pages = await readAll((args) => query('system', args), { limit: 2, since });
    expect(pages.map(messages)).toEqual([
      ['newest', 'worse'],
      ['went wrong', 'oldest'],
    ]);
    expect(pages.at(-1)).toMatchObject({ totalCount: 4 });
    // One stretch for each page: no further back than was asked for.
    expect(recorded.calls()).toHaveLength(2);
  });

  it('receives only times from a caller', async () => {
    const { recorded, reader } = open();
    const { query } = await openEventLog(reader);
    const since = new Date(now - 60_000).toISOString();
    await query('kernel', { source: '--archive /tmp/x', text: '" OR 1==1', since, minLevel: 'ERROR' });
    const [call = []] = recorded.calls();
    expect(call.slice(0, 5)).toEqual([
      'show',
      '--style',
      'ndjson',
      '--predicate',
      'process == "kernel" AND (messageType == error OR messageType == fault)',
    ]);
    expect(call.slice(5).join(' ')).toMatch(
      /^--start \d{4}-\d\d-\d\d \d\d:\d\d:\d\d --end \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
    );
  });

  it.each(injections)('refuses %j as a log', async (name) => {
    const { recorded, reader } = open();
    const { query } = await openEventLog(reader);
    await expect(query(name)).rejects.toMatchObject({ details: { path: 'arguments.logName' } });
    expect(recorded.calls()).toEqual([]);
  });
});

/** An event as `wevtutil qe /f:RenderedXml` writes it. */
function windowsEvent(record: number, level: number, message: string | undefined, id = 7036): string {
  const rendered = `<RenderingInfo Culture='en-US'><Message>${message}</Message><Level>x</Level></RenderingInfo>`;
  return `<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><Provider Name='Service Control Manager' Guid='{555908d1-a6d7-4695-8e1e-26931d2012f4}' EventSourceName='Service Control Manager'/><EventID Qualifiers='16384'>${id}</EventID><Version>0</Version><Level>${level}</Level><Task>0</Task><Opcode>0</Opcode><Keywords>0x8080000000000000</Keywords><TimeCreated SystemTime='2023-05-22T14:43:53.1670895Z'/><EventRecordID>${record}</EventRecordID><Correlation/><Execution ProcessID='776' ThreadID='5788'/><Channel>System</Channel><Computer>WORKSTATION</Computer><Security/></System><EventData><Data Name='param1'>AppX &amp; more</Data><Data Name='param2'>running</Data></EventData>${message === undefined ? '' : rendered}</Event>`;
}

describe('Windows, from recorded output', () => {
  const events = [
    windowsEvent(30, 1, 'The system has rebooted.&#xD;&#xA;Second line &lt;here&gt;'),
    windowsEvent(29, 2, 'An account failed to log on.', 4625),
    windowsEvent(28, 0, undefined),
    windowsEvent(27, 5, 'Größe'),
  ].join('\r\n');
  const channels = 'Application\r\nSecurity\r\nSystem\r\nMicrosoft-Windows-Bits-Client/Operational\r\n/r:evil\r\n';
  const wide = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  const open = (encode: (text: string) => string | Buffer = wide) => {
    const gli = 'creationTime: 2023-01-01T00:00:00.000Z\r\nnumberOfLogRecords: 4321\r\noldestRecordNumber: 1\r\n';
    const recorded = playProgram('wevtutil', { el: encode(channels), qe: encode(events), gli: encode(gli) });
    return { recorded, reader: createWindowsReader({ program: recorded.program }) };
  };

  it.each([
    ['UTF-16', wide],
    ['UTF-8', (text: string) => text],
  ])('is returned with levels, numbers and messages, in %s', async (_, encode) => {
    const { query, logs } = await openEventLog(open(encode).reader);
    expect(await logs()).toContain('Microsoft-Windows-Bits-Client/Operational');
    const page = await query('system', { limit: 3 });
    expect(page).toMatchObject({ totalCount: 4321, totalBound: 'at_most', nextOffset: 3 });
    expect(page.entries[0]).toEqual({
      id: 30,
      logName: 'System',
      level: 'CRITICAL',
      source: 'Service Control Manager',
      eventId: 7036,
      message: 'The system has rebooted.\nSecond line <here>',
      timestamp: '2023-05-22T14:43:53.167Z',
    });
    expect(page.entries[2]).toMatchObject({ level: 'INFORMATION', message: 'param1: AppX & more\nparam2: running' });
    expect((await query('System', { minLevel: 'VERBOSE' })).entries.at(-1)).toMatchObject({
      message: 'Größe',
      level: 'VERBOSE',
    });
    expect((await query('System', { eventId: 4625 })).entries).toMatchObject([{ id: 29 }]);
  });

  it('continues after the last record of a page', async () => {
    const { recorded, reader } = open();
    const { query } = await openEventLog(reader);
    const first = await query('System', { limit: 2 });
    await query('System', { limit: 2, cursor: first.next_cursor });
    const asked = recorded.calls().filter(([word]) => word === 'qe');
    expect(asked.map((call) => call.at(-2))).toEqual(['/q:*', '/q:*[System[(EventRecordID<29)]]']);
    expect(asked[0]).toEqual(['qe', 'System', '/rd:true', '/f:RenderedXml', '/c:3', '/q:*', '/uni:true']);
  });

  it.each([
    [
      { source: 'Service Control Manager', minLevel: 'WARNING' },
      "*[System[(Level=1 or Level=2 or Level=3) and Provider[@Name='Service Control Manager']]]",
    ],
    [{ source: "x'] or *[System[Provider[@Name='y" }, '*'],
    [{ source: 'x" or "1"="1' }, '*'],
    [{ source: '/r:evil' }, "*[System[Provider[@Name='/r:evil']]]"],
    [{ text: "'] | *" }, '*'],
    [
      { eventId: '4625', since: '2023-01-01T00:00:00Z' },
      "*[System[(EventID=4625) and TimeCreated[@SystemTime>='2023-01-01T00:00:00.000Z']]]",
    ],
  ])('builds an expression from %j', async (filter, expression) => {
    const { recorded, reader } = open();
    const { query } = await openEventLog(reader);
    await query('System', filter);
    const [call = []] = recorded.calls().filter(([word]) => word === 'qe');
    expect(call.at(-2)).toBe(`/q:${expression}`);
    expect(call.filter((argument) => /^\/(?!rd:|f:|c:|q:|uni:)/.test(argument))).toEqual([]);
  });

  it.each(injections)('refuses %j as a log', async (name) => {
    const { recorded, reader } = open();
    const { query } = await openEventLog(reader);
    await expect(query(name)).rejects.toMatchObject({ details: { path: 'arguments.logName' } });
    expect(recorded.calls().every(([word]) => word === 'el')).toBe(true);
  });

  it.each([
    [5, 'forbidden'],
    [87, 'unavailable'],
  ])('fails with status %i and our message', async (status, word) => {
    const recorded = playProgram('wevtutil', { el: channels }, status);
    const { query } = await openEventLog(createWindowsReader({ program: recorded.program }));
    await expect(query('System')).rejects.toMatchObject({ word });
  });
});
