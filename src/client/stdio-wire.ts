// MCP over the standard input and output of a child process: one message per line. Its stderr is passed on as lines of a log.
import { LoreError } from '../core/error.ts';
import { readJson } from '../core/json.ts';
import { LineSplitter } from '../core/lines.ts';
import { type OpenProgram, openProgram } from '../core/program/open.ts';
import type { Program } from '../core/program/program.ts';
import type { OpenWire, SentMessage } from './wire.ts';

export interface StdioUpstream extends Pick<Program, 'program' | 'args' | 'folder' | 'env'> {
  /** Gets the lines of its stderr, and lines of stdout that are no messages. */
  log(line: string): void;
  started?(program: OpenProgram): void;
}

/** Of one message. Larger ones are skipped, and their requests fail by their deadline. */
const maxMessageBytes = 64 << 20;
const maxLogLine = 4_096;
/** Values in one message; see `readJson`. */
const maxWeight = 4_000_000;

export function overStdio(server: StdioUpstream): OpenWire {
  return async (listener) => {
    const program = await openProgram(server);
    server.started?.(program);
    const lines = new LineSplitter(maxMessageBytes, {
      line(text) {
        let message: unknown;
        try {
          message = readJson(text, maxWeight);
        } catch {
          // Many servers print a greeting to the wrong stream.
          return server.log(text.slice(0, maxLogLine));
        }
        listener.receive(message);
      },
      unreadable: (reason) => server.log(`a message was skipped because of its ${reason}`),
    });
    const complaints = new LineSplitter(maxLogLine, { line: (text) => server.log(text), unreadable: () => {} });
    program.output.on('data', (part: Buffer) => lines.feed(part));
    program.complaint.on('data', (part: Buffer) => complaints.feed(part));
    void program.ended.then((end) => {
      complaints.end();
      const state = typeof end === 'number' ? `exited with status ${end}` : `was ended by ${end.message}`;
      listener.close(new LoreError('unavailable', `Cannot reach the server: its process ${state}`));
    });
    // Messages of one turn of the event loop are written at once.
    let pending = '';
    const flush = () => {
      const text = pending;
      pending = '';
      program.input.write(text);
    };
    return {
      send(message: SentMessage) {
        if (pending === '') setImmediate(flush);
        pending += `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
      },
      drop: () => false,
      agree: () => {},
      close: () => program.end(),
    };
  };
}
