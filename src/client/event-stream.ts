// Reads server-sent events from a response as it arrives.

export interface ServerSentEvent {
  event: string;
  data: string;
  id?: string;
  /** The delay before the next connection, in ms, that the server asks for. */
  retry?: number;
}

/** Characters of one event. */
const maxEvent = 64 << 20;

export async function* readEvents(body: AsyncIterable<Buffer>): AsyncGenerator<ServerSentEvent, void, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of body) {
    rest += decoder.decode(part, { stream: true });
    // A line end that is cut in two is read with the next part.
    const end = rest.endsWith('\r') ? rest.length - 1 : rest.length;
    const blocks = rest.slice(0, end).split(/\r\n\r\n|\n\n|\r\r/);
    rest = (blocks.pop() ?? '') + rest.slice(end);
    if (rest.length > maxEvent) return;
    for (const block of blocks) {
      const event = readEvent(block);
      if (event) yield event;
    }
  }
}

function readEvent(block: string): ServerSentEvent | undefined {
  const found: ServerSentEvent = { event: 'message', data: '' };
  const data: string[] = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    const at = line.indexOf(':');
    if (at === 0) continue;
    const [name, value] = at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')];
    if (name === 'event') found.event = value;
    else if (name === 'data') data.push(value);
    else if (name === 'id') found.id = value;
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) found.retry = Number(value);
  }
  found.data = data.join('\n');
  return data.length > 0 || found.id !== undefined || found.retry !== undefined ? found : undefined;
}
