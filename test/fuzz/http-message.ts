// An HTTP request as something to be spoilt: its line, its headers in order (names may repeat) and its body.

export interface HttpRequest {
  line: string;
  headers: [name: string, value: string][];
  body: Buffer;
}

export function postTo(path: string, body: Buffer, headers: [string, string][] = []): HttpRequest {
  return {
    line: `POST ${path} HTTP/1.1`,
    headers: [
      ['Host', 'localhost'],
      ['Accept', 'application/json, text/event-stream'],
      ['Content-Type', 'application/json'],
      ['Content-Length', String(body.length)],
      ...headers,
    ],
    body,
  };
}

/** Replaces a header, or adds it; without a value it is left out. */
export function setHeader(request: HttpRequest, name: string, value: string | undefined): HttpRequest {
  const rest = request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  return { ...request, headers: value === undefined ? rest : [...rest, [name, value]] };
}

/** Headers as latin1, so that every byte can be sent. */
export function writeRequest({ line, headers, body }: HttpRequest): Buffer {
  const head = [line, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}
