// MCP on standard input and output: one message per line. It ends with the input, on a signal or when the client requests a
// shutdown; running requests are answered or refused first. A client that does not read its responses, or sends faster than it
// is served, is not read from until it catches up.
import type { Readable, Writable } from 'node:stream';
import type { App } from '../app.ts';
import { startingCaller } from '../core/call.ts';
import { heapShare } from '../core/heap.ts';
import { LineSplitter } from '../core/lines.ts';
import { code } from '../protocol/code.ts';
import type { Link, Reply } from '../protocol/link.ts';
import { writeError } from '../protocol/message.ts';
import { Session } from '../protocol/session.ts';
import { messageLimit } from './budget.ts';

/** Most concurrent requests. */
const maxUnanswered = 1_000;
/** Characters of responses that wait for the end of a turn of the event loop. */
const maxPending = 1024 * 1024;

interface StdioStreams {
  input: Readable;
  output: Writable;
  /** Requests the end, like a signal. */
  signal?: AbortSignal;
}

/** The part of an app that a server on standard input and output needs. */
type StdioApp = Pick<App, 'protocol' | 'log' | 'stop'> & {
  readonly config: { readonly values: Pick<App['config']['values'], 'max_message_bytes'> };
};

/** Resolves when the session is over and everything has been written. */
export function serveStdio(app: StdioApp, { input, output, signal }: StdioStreams): Promise<void> {
  const { protocol, log } = app;
  const maxUnansweredLength = heapShare(1 / 64);
  return new Promise((resolve) => {
    let ending: Promise<void> | undefined;
    let pending = '';
    /** Lines received while the limit of concurrent requests is reached. */
    const unserved: string[] = [];
    let unanswered = 0;
    let unansweredLength = 0;

    function isFull(): boolean {
      return output.writableNeedDrain || pending.length > maxPending;
    }

    function isBusy(): boolean {
      // Reads on while the client owes an answer, which comes after everything else it has sent.
      const isBehind = unanswered > maxUnanswered || unansweredLength > maxUnansweredLength;
      return isFull() || (isBehind && !session.isAsked);
    }

    function regulate(): void {
      if (ending) return;
      if (!isBusy()) for (const text of unserved.splice(0)) take(text);
      if (isBusy()) input.pause();
      else input.resume();
    }

    // Responses of one turn of the event loop are written at once: pipelined calls are common, and system calls are expensive.
    function write(text: string): void {
      if (log.wants('debug')) log.debug('sent', { message: text });
      if (pending === '') setImmediate(flush);
      pending += `${text}\n`;
    }

    function flush(): void {
      if (pending === '') return;
      const text = pending;
      pending = '';
      output.write(text);
      regulate();
    }

    function end(): Promise<void> {
      ending ??= finish();
      return ending;
    }

    async function finish(): Promise<void> {
      input.off('data', onData);
      input.pause();
      for (const text of unserved.splice(0)) serve(text);
      await app.stop();
      flush();
      output.end(() => resolve());
    }

    function take(text: string): void {
      if (isBusy()) unserved.push(text);
      else serve(text);
    }

    function serve(text: string): void {
      if (log.wants('debug')) log.debug('received', { message: text });
      const reply = protocol.receive(text, link);
      if (!(reply instanceof Promise)) return answer(reply);
      unanswered++;
      unansweredLength += text.length;
      void reply.then((late) => {
        unanswered--;
        unansweredLength -= text.length;
        answer(late);
        if (input.isPaused()) regulate();
      });
    }

    function answer(reply: Reply | undefined): void {
      if (reply) write(reply.text);
    }

    const session = new Session('stdio', (text) => !isFull() && write(text));
    const link: Link = {
      caller: startingCaller,
      session,
      send: write,
      shutdown: () => setImmediate(end),
      get isFull() {
        return isFull();
      },
    };
    const lines = new LineSplitter(messageLimit(app.config.values.max_message_bytes), {
      line: take,
      unreadable(reason) {
        const [errorCode, why] =
          reason === 'length'
            ? [code.invalidRequest, 'Invalid request: the message is too large']
            : [code.parseError, 'Parse error: the message is not UTF-8'];
        write(writeError(null, errorCode, why));
      },
    });
    const onData = (chunk: Buffer) => {
      lines.feed(chunk);
      if (isBusy()) regulate();
    };

    input.on('data', onData);
    input.on('end', () => {
      lines.end();
      void end();
    });
    input.on('error', () => void end());
    output.on('drain', () => {
      session.flush();
      regulate();
    });
    // The reader is gone: nobody can receive a response.
    output.on('error', () => void end().then(resolve));
    signal?.addEventListener('abort', () => void end());
  });
}
