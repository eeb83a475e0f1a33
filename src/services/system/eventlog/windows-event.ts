// Parses an event of wevtutil: XML of a fixed form, of which only the elements of an entry are read.
import { TextDecoder } from 'node:util';
import type { Level } from './entry.ts';
import { cutMessage, type FoundEntry } from './reader.ts';

/** 0 is for events that are always logged, such as audits. */
const levelOf: readonly Level[] = ['INFORMATION', 'CRITICAL', 'ERROR', 'WARNING', 'INFORMATION', 'VERBOSE'];
const end = '</Event>';
const maxEvent = 4 * 1024 * 1024;

/** Each `<Event …>…</Event>`, whole. */
export async function* splitEvents(parts: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  let rest = '';
  for await (const part of parts) {
    // The end tag may be split between two chunks.
    let from = Math.max(0, rest.length - end.length);
    rest += part;
    for (let at = rest.indexOf(end, from); at >= 0; at = rest.indexOf(end)) {
      yield rest.slice(0, at + end.length);
      rest = rest.slice(at + end.length);
      from = 0;
    }
    if (rest.length > maxEvent) rest = '';
  }
}

/** Decodes bytes that were read as Latin-1: in UTF-16 each letter of a tag has a zero byte. */
export async function* decodeWide(parts: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  let decoder: TextDecoder | undefined;
  for await (const part of parts) {
    decoder ??= new TextDecoder(/^\xff\xfe|^.\0/s.test(part) ? 'utf-16le' : 'utf-8');
    yield decoder.decode(Buffer.from(part, 'latin1'), { stream: true });
  }
}

export function readEvent(xml: string, logName: string): FoundEntry | undefined {
  const system = /<System>(.*?)<\/System>/s.exec(xml)?.[1] ?? '';
  const record = Number(/<EventRecordID>(\d+)<\/EventRecordID>/.exec(system)?.[1]);
  const time = Date.parse(/<TimeCreated SystemTime=['"]([^'"]+)['"]/.exec(system)?.[1] ?? '');
  if (!Number.isSafeInteger(record) || Number.isNaN(time)) return undefined;
  return {
    place: String(record),
    entry: {
      id: record,
      logName,
      level: levelOf[Number(/<Level>(\d+)<\/Level>/.exec(system)?.[1])] ?? 'INFORMATION',
      source: decode(/<Provider[^>]*? Name=(?:'([^']*)'|"([^"]*)")/.exec(system)?.slice(1).join('') ?? ''),
      eventId: Number(/<EventID[^>]*>(\d+)<\/EventID>/.exec(system)?.[1] ?? 0),
      message: cutMessage(messageOf(xml)),
      timestamp: new Date(time).toISOString(),
    },
  };
}

/** Events of an uninstalled provider have values but no text. */
function messageOf(xml: string): string {
  const rendered = /<RenderingInfo[^>]*>.*?<Message>(.*?)<\/Message>/s.exec(xml)?.[1];
  if (rendered !== undefined) return decode(rendered).replaceAll('\r\n', '\n').trim();
  const data = /<EventData>(.*?)<\/EventData>/s.exec(xml)?.[1] ?? '';
  const values = [...data.matchAll(/<Data(?: Name=['"]([^'"]*)['"])?>([^<]*)<\/Data>/g)];
  return values.map(([, name, value = '']) => decode(name ? `${name}: ${value}` : value)).join('\n');
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] as string) : whole;
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
