// The event stream of a page: which entries changed, in this process or another. The page reads it with fetch, because
// EventSource cannot send the session's token.
import type { ServerResponse } from 'node:http';
import type { App } from '../../app.ts';
import { isFull, writeText } from '../outbox.ts';
import { startSse } from '../stream.ts';

/** Changes that follow each other closely are sent together. */
const gatherMs = 30;
/** Beyond these, the page is told to read everything again. */
const mostNamed = 200;

export async function streamEvents(app: App, response: ServerResponse): Promise<void> {
  await app.load();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const send = () => {
    timer = undefined;
    if (isFull(response)) return void response.once('drain', send);
    writeText(
      response,
      `data: ${JSON.stringify({ changed: [...changed].slice(0, mostNamed), all: changed.size > mostNamed })}\n\n`,
    );
    changed.clear();
  };
  const unlisten = app.registry.onChange((change) => {
    changed.add('list' in change ? `list:${change.list}` : change.updated);
    timer ??= setTimeout(send, gatherMs);
  });
  const unfollow = app.followOthers();
  response.on('close', () => {
    clearTimeout(timer);
    unlisten();
    unfollow();
  });
  startSse(response);
  writeText(response, ':\n\n');
}
