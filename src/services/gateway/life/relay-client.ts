// Reaches a server that another process of the user runs.
import { connect } from 'node:net';
import type { Params, RequestContext } from '../../../client/session.ts';
import type { Questions } from '../../../core/call.ts';
import { LoreError } from '../../../core/error.ts';
import { createFrameWriter, type Frame, frameVersion, readFailure, readFrames } from './frame.ts';
import type { Upstream } from './upstream.ts';

const answerMs = 5_000;

/** The process that ran the server is gone. If the request was sent, it is not known whether the server has run it. */
export class HolderGone extends LoreError {
  readonly wasSent: boolean;
  constructor(name: string, wasSent: boolean) {
    super('unavailable', `Cannot finish the call: the process that ran server "${name}" ended`, {
      hint: 'Try again: this process takes over.',
    });
    this.wasSent = wasSent;
  }
}

interface PendingRelay {
  context: RequestContext;
  resolve(result: Params): void;
  reject(error: Error): void;
}

export interface RelayedUpstream extends Upstream {
  readonly isClosed: boolean;
}

/** Undefined if no process answers there, or it does not run this server. */
export function connectRelay(path: string, name: string): Promise<RelayedUpstream | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const pending = new Map<unknown, PendingRelay>();
    const write = createFrameWriter(socket);
    const timer = setTimeout(() => socket.destroy(), answerMs);
    let nextId = 0;
    let isClosed = false;

    const upstream: RelayedUpstream = {
      get isClosed() {
        return isClosed;
      },
      request: (method, params, context) =>
        new Promise((done, reject) => {
          const { signal, can, client } = context;
          if (isClosed) return reject(new HolderGone(name, false));
          if (signal?.aborted) return reject(signal.reason);
          const id = ++nextId;
          const cancel = () => {
            pending.delete(id);
            write({ id, cancel: true });
            reject(signal?.reason);
          };
          const settle = <T>(end: (value: T) => void) => {
            return (value: T) => {
              pending.delete(id);
              signal?.removeEventListener('abort', cancel);
              if (pending.size === 0) socket.unref();
              end(value);
            };
          };
          signal?.addEventListener('abort', cancel, { once: true });
          pending.set(id, { context, resolve: settle(done), reject: settle(reject) });
          socket.ref();
          const wants = (['progress', 'log', 'notice', 'ask'] as const).filter((kind) => context[kind] !== undefined);
          write({ id, method, params, wants, can, client: numberOf(client) });
        }),
      close: () => void socket.destroy(),
    };

    readFrames(socket, (frame) => {
      if ('ready' in frame) {
        clearTimeout(timer);
        socket.unref();
        if (frame.ready !== true) socket.destroy();
        return resolve(frame.ready === true ? upstream : undefined);
      }
      receive(pending.get(frame.id), frame, write);
    });
    socket.on('connect', () => write({ hello: name, version: frameVersion }));
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      isClosed = true;
      for (const { reject } of [...pending.values()]) reject(new HolderGone(name, true));
      resolve(undefined);
    });
  });
}

function receive(request: PendingRelay | undefined, frame: Frame, write: (frame: Frame) => void): void {
  if (!request) return;
  const { context, resolve, reject } = request;
  const { id } = frame;
  if ('result' in frame) resolve(frame.result as Params);
  else if ('error' in frame) reject(readFailure(frame.error as Frame));
  else if ('progress' in frame) context.progress?.(...(frame.progress as [number]));
  else if ('notice' in frame) context.notice?.(...(frame.notice as [string, Params]));
  else if ('log' in frame) context.log?.(...(frame.log as ['info', unknown]));
  else if ('ask' in frame && context.ask)
    context.ask(frame.ask as Questions).then(
      (answers) => write({ id, answers }),
      // The call ends here, with the reason for which it could not be answered.
      (error: Error) => {
        write({ id, cancel: true });
        reject(error);
      },
    );
}

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

function numberOf(client: unknown): number {
  if (typeof client !== 'object' || client === null) return 0;
  const number = numbers.get(client) ?? ++lastNumber;
  numbers.set(client, number);
  return number;
}
