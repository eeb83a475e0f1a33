// MCP on standard input and output: one message a line. It ends when the input ends, on a signal or when the client asks
// for shutdown; what is under way then is answered or refused first.
import type { Readable, Writable } from 'node:stream';
import type { App } from '../app.ts';
import { localCaller } from '../core/call.ts';
import { code } from '../protocol/code.ts';
import type { Link, Reply } from '../protocol/link.ts';
import { writeError } from '../protocol/message.ts';
import { Session } from '../protocol/session.ts';
import { LineSplitter } from './lines.ts';

interface StdioStreams {
  input: Readable;
  output: Writable;
  /** Asks the transport to end, as a signal does. */
  signal?: AbortSignal;
}

/** Resolves when the conversation is over and everything has been written. */
export function serveStdio(app: App, { input, output, signal }: StdioStreams): Promise<void> {
  const { protocol, log } = app;
  return new Promise((resolve) => {
    let ending = false;
    let pending = '';

    // Answers of one turn of the event loop leave in one write: pipelined calls are common and system calls are not free.
    function write(text: string): void {
      if (log.wants('debug')) log.debug('sent', { message: text });
      if (pending === '') setImmediate(flush);
      pending += `${text}\n`;
    }

    function flush(): void {
      if (pending === '') return;
      const text = pending;
      pending = '';
      // A client that does not read must not fill our memory: nothing more is taken in until it does.
      if (!output.write(text) && !input.isPaused()) {
        input.pause();
        output.once('drain', () => input.resume());
      }
    }

    async function end(): Promise<void> {
      if (ending) return;
      ending = true;
      input.off('data', onData);
      input.pause();
      await app.stop();
      flush();
      output.end(() => resolve());
    }

    function answer(reply: Reply | undefined): void {
      if (reply) write(reply.text);
    }

    const session = new Session('stdio', write);
    const link: Link = { caller: localCaller, session, send: write, shutdown: () => setImmediate(end) };
    const lines = new LineSplitter(app.config.values.max_message_bytes, {
      line(text) {
        if (log.wants('debug')) log.debug('received', { message: text });
        const reply = protocol.receive(text, link);
        if (reply instanceof Promise) void reply.then(answer);
        else answer(reply);
      },
      unreadable(reason) {
        const [errorCode, why] =
          reason === 'length'
            ? [code.invalidRequest, 'Invalid request: the message is too large']
            : [code.parseError, 'Parse error: the message is not UTF-8'];
        write(writeError(null, errorCode, why));
      },
    });
    const onData = (chunk: Buffer) => lines.feed(chunk);

    input.on('data', onData);
    input.on('end', () => {
      lines.end();
      void end();
    });
    input.on('error', () => void end());
    // The reader has gone: there is nobody left to answer.
    output.on('error', () => resolve());
    signal?.addEventListener('abort', () => void end());
  });
}
