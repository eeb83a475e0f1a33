// One client in conversation with a server: everything the server sends goes to the judge, and its questions are answered as a
// willing person would. The server is the production one in this process, without a transport, or any that speaks HTTP.
import { join } from 'node:path';
import { type App, createApp, createLog, loadConfig, localCaller } from '../../src/index.ts';
import type { Link } from '../../src/protocol/link.ts';
import type { Revision } from '../../src/protocol/revision.ts';
import { Session } from '../../src/protocol/session.ts';
import { createFixtureService } from '../conformance/fixture/service.ts';
import { createFolder } from '../support/folder.ts';
import { post, readEvents } from '../support/http.ts';
import { type Answers, answerAll, answerTo } from './answers.ts';
import { createJudge, type Judge, type Message } from './judge.ts';

export interface Conversation {
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

export type LocalConversation = Conversation & { readonly app: App };

/** Takes a text to the server and returns its answer. */
type Deliver = (text: string, via: Partial<Link>) => Promise<string | undefined>;

export const clientInfo = { name: 'oracle', version: '1' };

export async function openConversation(
  revision: Revision,
  settings: Record<string, string> = {},
): Promise<LocalConversation> {
  const folder = createFolder('oracle');
  const env = { LORE_CONFIG: join(folder, 'config.json'), LORE_DB: join(folder, 'lore.db'), ...settings };
  const app = await createApp({
    config: loadConfig({ env }),
    log: createLog('silent'),
    services: [createFixtureService()],
  });
  const talk = converse(revision, (take) => {
    const link: Link = { caller: localCaller, session: new Session('oracle', take), send: take };
    return async (text, via) => (await app.protocol.receive(text, { ...link, ...via }))?.text;
  });
  return { ...talk, app };
}

/** Every message is a request of its own, which a balancer may send to another server. */
export function openHttpConversation(revision: Revision, url: string): Conversation {
  return converse(revision, (take) => {
    let session: Record<string, string> = {};

    const get = (more = {}) => fetch(url, { headers: { ...session, Accept: 'text/event-stream', ...more } });

    /** Returns the answer in a stream, if there is one, and the id of the last event. */
    async function read(response: Response): Promise<{ answer?: string; last?: string }> {
      const found: { answer?: string; last?: string } = {};
      for await (const event of readEvents(response)) {
        const [id, data] = ['id', 'data'].map((name) => new RegExp(`^${name}: (.+)$`, 'm').exec(event)?.[1]);
        if (id !== undefined) found.last = id;
        if (data === undefined) continue;
        if ((JSON.parse(data) as Message).method !== undefined) take(data);
        else found.answer = data;
      }
      return found;
    }

    return async (text) => {
      const response = await post(url, text, session);
      const id = response.headers.get('mcp-session-id');
      if (id !== null && session['Mcp-Session-Id'] === undefined) {
        session = { 'Mcp-Session-Id': id, 'MCP-Protocol-Version': revision };
        void get()
          .then(read)
          .catch(() => {});
      }
      if (!response.headers.get('content-type')?.includes('event-stream')) return (await response.text()) || undefined;
      const { answer, last } = await read(response);
      if (answer !== undefined || last === undefined) return answer;
      // The server let the connection go, or the request was cancelled.
      return (await read(await get({ 'Last-Event-ID': last }))).answer;
    };
  });
}

function converse(revision: Revision, connect: (take: (text: string) => void) => Deliver): Conversation {
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

  const deliver = connect(take);

  async function sendText(text: string, methods: Record<string, string> = {}, via: Partial<Link> = {}) {
    const reply = await deliver(text, via);
    if (reply === undefined) return undefined;
    const answer = JSON.parse(reply) as Message | Message[];
    const parts = Array.isArray(answer) ? answer : [answer];
    for (const part of parts) judge.judgeAnswer(JSON.stringify(part), methods[String(part.id)]);
    return reply;
  }

  return {
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
