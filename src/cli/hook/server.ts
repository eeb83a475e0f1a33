// A running server answers the hooks of its folder, because its index is in memory. It starts to listen a moment after the
// start, which must not become slower, and never keeps the process alive.
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import type { CallTool } from '../../agents/hook.ts';
import { readHookInput } from '../../agents/hook-event.ts';
import type { App } from '../../app.ts';
import { LoreError } from '../../core/error.ts';
import { describeError } from '../../core/log.ts';
import { answerHook, createToolCaller } from './answer.ts';
import { answerMark, type Common, describeCommon, type HookQuestion, socketOf } from './socket-path.ts';

const againMs = 5_000;
const maxQuestion = 4 << 20;

export function serveHooks(app: App, folder: string): void {
  const common = describeCommon(folder, process.env);
  const path = socketOf(common, process.env);
  if (path === undefined) return;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    chmodSync(dirname(path), 0o700);
  } catch (error) {
    return app.log.debug('hooks_unserved', describeError(error));
  }
  const call = createToolCaller(app);
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    void answer(socket, common, app.learning.ignores(folder) ? undefined : call);
  });
  server.on('error', () => takeOver(path, () => server.listen(path)));
  server.on('listening', () => {
    try {
      chmodSync(path, 0o600);
    } catch (error) {
      // The folder is private as well.
      app.log.debug('hook_socket_open', describeError(error));
    }
    process.once('exit', () => rmSync(path, { force: true }));
  });
  server.listen(path).unref();
}

/** If another server of this folder has the socket, waits until that one is gone. */
function takeOver(path: string, listen: () => void): void {
  const probe = connect(path);
  probe.once('connect', () => {
    probe.destroy();
    setTimeout(listen, againMs).unref();
  });
  probe.once('error', () => {
    rmSync(path, { force: true });
    setTimeout(listen, 0).unref();
  });
  probe.unref();
}

/** Without `call` the folder is ignored. */
async function answer(socket: Socket, common: Common, call: CallTool | undefined): Promise<void> {
  try {
    const { event, input, ...theirs } = JSON.parse(await readQuestion(socket)) as HookQuestion;
    if (theirs.folder !== common.folder || theirs.database !== common.database) return void socket.end();
    const context = call && (await answerHook(event, readHookInput(input, {}), call));
    socket.end(answerMark + (context ?? ''));
  } catch {
    // The client detects the closed connection.
    socket.destroy();
  }
}

/** Not by iteration, which would close the socket at the end of the input, before the answer. */
function readQuestion(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    socket.on('data', (part: Buffer) => {
      size += part.length;
      if (size > maxQuestion) reject(new LoreError('limit_exceeded', 'Cannot answer a hook: its input is too long'));
      else parts.push(part);
    });
    socket.on('end', () => resolve(Buffer.concat(parts).toString()));
    socket.on('close', () => reject(new LoreError('unavailable', 'Cannot answer a hook: it disconnected')));
  });
}
