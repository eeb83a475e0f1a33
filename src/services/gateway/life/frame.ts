// The frames between two of our processes, one of which runs a server for both: lines of JSON on a socket that only the user can
// open.
import type { Socket } from 'node:net';
import { UpstreamFailure } from '../../../client/wire.ts';
import { type ErrorWord, LoreError } from '../../../core/error.ts';
import { LineSplitter } from '../../../core/lines.ts';

/** Processes of another version do not share servers. */
export const frameVersion = 1;

export type Frame = { readonly [key: string]: unknown };

const maxFrameBytes = 80 << 20;

/** Frames of one turn of the event loop are written at once. */
export function createFrameWriter(socket: Socket): (frame: Frame) => void {
  let pending = '';
  return (frame) => {
    if (pending === '')
      setImmediate(() => {
        const text = pending;
        pending = '';
        socket.write(text);
      });
    pending += `${JSON.stringify(frame)}\n`;
  };
}

export function readFrames(socket: Socket, receive: (frame: Frame) => void): void {
  const lines = new LineSplitter(maxFrameBytes, {
    line(text) {
      try {
        receive(JSON.parse(text) as Frame);
      } catch {
        socket.destroy();
      }
    },
    unreadable: () => void socket.destroy(),
  });
  socket.on('data', (part: Buffer) => lines.feed(part));
}

export function writeFailure(error: unknown): Frame {
  if (error instanceof UpstreamFailure) return { code: error.code, message: error.message, data: error.data };
  if (error instanceof LoreError) {
    const { word, message, hint, details } = error;
    return { word, message, hint, details };
  }
  return { word: 'unavailable', message: 'Cannot finish the call: the process that runs the server failed' };
}

export function readFailure(frame: Frame): Error {
  const { word, code, message, hint, details, data } = frame;
  if (typeof code === 'number') return new UpstreamFailure(code, String(message), data);
  const options = { hint: hint as string | undefined, details: details as { [fact: string]: unknown } | undefined };
  return new LoreError(word as ErrorWord, String(message), {
    ...(options.hint !== undefined && { hint: options.hint }),
    ...(options.details && { details: options.details }),
  });
}
