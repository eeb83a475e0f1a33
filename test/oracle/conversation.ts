// One client in conversation with the production server in this process, without a transport: everything the server sends
// goes to the judge, and its questions are answered as a willing person would.
import { join } from 'node:path';
import { type App, createApp, createLog, loadConfig, localCaller } from '../../src/index.ts';
import type { Link } from '../../src/protocol/link.ts';
import type { Revision } from '../../src/protocol/revision.ts';
import { Session } from '../../src/protocol/session.ts';
import { createFixtureService } from '../conformance/fixture/service.ts';
import { createFolder } from '../support/folder.ts';
import { type Answers, answerAll, answerTo } from './answers.ts';
import { createJudge, type Judge, type Message } from './judge.ts';

export interface Conversation {
  readonly app: App;
  readonly judge: Judge;
  /** Everything but answers, in the order it came. */
  readonly messages: Message[];
  /** The answer, or nothing where the request was cancelled. */
  request(method: string, params?: object, via?: Partial<Link>): Promise<Message | undefined>;
  /** Any text at all; `methods` are those of the requests in it, by id. */
  sendText(text: string, methods?: Record<string, string>): Promise<string | undefined>;
  notify(method: string, params?: object): Promise<void>;
  /** Resolves as soon as a message fits, or has come before. */
  waitFor(fits: (message: Message) => boolean): Promise<Message>;
}

export const clientInfo = { name: 'oracle', version: '1' };

export async function openConversation(
  revision: Revision,
  settings: Record<string, string> = {},
): Promise<Conversation> {
  const folder = createFolder('oracle');
  const env = { LORE_CONFIG: join(folder, 'config.json'), LORE_DB: join(folder, 'lore.db'), ...settings };
  const app = await createApp({
    config: loadConfig({ env }),
    log: createLog('silent'),
    services: [createFixtureService()],
  });
  const judge = createJudge(revision);
  const messages: Message[] = [];
  const watchers = new Set<(message: Message) => void>();
  let lastId = 0;

  function take(text: string): void {
    judge.judgeMessage(text);
    const message = JSON.parse(text) as Message;
    messages.push(message);
    for (const watch of watchers) watch(message);
    if (message.id === undefined || message.id === null || message.method === undefined) return;
    const answer = { jsonrpc: '2.0', id: message.id, result: answerTo(message.method) };
    setImmediate(() => void sendText(JSON.stringify(answer)));
  }

  const link: Link = { caller: localCaller, session: new Session('oracle', take), send: take };

  async function sendText(text: string, methods: Record<string, string> = {}, via: Partial<Link> = {}) {
    const reply = await app.protocol.receive(text, { ...link, ...via });
    if (!reply) return undefined;
    const answer = JSON.parse(reply.text) as Message | Message[];
    const parts = Array.isArray(answer) ? answer : [answer];
    for (const part of parts) judge.judgeAnswer(JSON.stringify(part), methods[String(part.id)]);
    return reply.text;
  }

  return {
    app,
    judge,
    messages,
    sendText,
    async request(method, params, via) {
      const id = ++lastId;
      const text = JSON.stringify({ jsonrpc: '2.0', id, method, params });
      const answer = await sendText(text, { [id]: method }, via);
      return answer === undefined ? undefined : (JSON.parse(answer) as Message);
    },
    async notify(method, params) {
      await sendText(JSON.stringify({ jsonrpc: '2.0', method, params }));
    },
    waitFor(fits) {
      const before = messages.find(fits);
      if (before) return Promise.resolve(before);
      return new Promise((resolve) => {
        const watch = (message: Message) => {
          if (!fits(message)) return;
          watchers.delete(watch);
          resolve(message);
        };
        watchers.add(watch);
      });
    },
  };
}

/** What a stateless client brings along when it comes again. */
export function bringAnswers(result: { [key: string]: unknown }): { inputResponses: Answers; requestState: unknown } {
  const { inputRequests, requestState } = result;
  return { inputResponses: answerAll(inputRequests as Record<string, { method: string }>), requestState };
}
