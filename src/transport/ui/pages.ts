// The HTTP side of the dashboard, below /ui: its files, the exchange of a one-time link for a session, calls of tools, and the
// event stream. It has no data of its own: every view is made of tools' results, which pass the registry's door.
import type { ServerResponse } from 'node:http';
import type { App } from '../../app.ts';
import { type Caller, createPlainCall, personCaller } from '../../core/call.ts';
import { LoreError } from '../../core/error.ts';
import { folderBeside } from '../../core/location.ts';
import { isObject } from '../../core/schema.ts';
import { drain, isJson, sendJson, sendStatus } from '../body.ts';
import type { DirectRequest } from '../request.ts';
import { readArguments, sendFailure } from '../rest.ts';
import { createAssets, pageHeaders } from './assets.ts';
import { streamEvents } from './events.ts';
import { knowsLink, useLink } from './link.ts';
import { PageSessions } from './sessions.ts';

export interface Pages {
  serve(request: DirectRequest, response: ServerResponse, path: string): void | Promise<void>;
}

type Body = { [key: string]: unknown };

/** The person who opened the link. */
const visitor: Caller = {
  id: 'dashboard',
  scopes: personCaller.scopes,
  get folder() {
    return personCaller.folder;
  },
};

export function createPages(app: App): Pages {
  const sessions = new PageSessions();
  const assets = createAssets();
  const installation = folderBeside(app.config.values.db);

  const actions: Record<string, (body: Body, request: DirectRequest, response: ServerResponse) => unknown> = {
    call: (body, request, response) => callTool(app, body, request, response),
    events: (_, __, response) => streamEvents(app, response),
    leave: (_, request, response) => {
      sessions.end(request);
      sendStatus(response, 204);
    },
  };

  function begin({ key }: Body, request: DirectRequest, response: ServerResponse): void {
    if (typeof key !== 'string' || !useLink(installation, key)) {
      throw new LoreError('forbidden', 'Cannot use the link: it was used before or is too old', {
        hint: 'Run lore open for another one.',
      });
    }
    const { cookie, token } = sessions.begin(request);
    sendJson(response, 200, JSON.stringify({ token }), { 'Set-Cookie': cookie });
  }

  async function act(name: string, request: DirectRequest, response: ServerResponse): Promise<void> {
    const action = name === 'session' ? begin : Object.hasOwn(actions, name) ? actions[name] : undefined;
    const refuse = (status: number, reason: string) => {
      drain(request);
      sendJson(response, status, JSON.stringify({ error: { code: 'forbidden', message: reason } }));
    };
    if (!action) return refuse(404, 'Not found');
    if (!isJson(request)) return refuse(415, 'Unsupported media type: send application/json');
    if (action !== begin && !sessions.isValid(request)) return refuse(401, 'This page has no session. Run lore open.');
    try {
      const body = await readArguments(app, request, response);
      if (body) await action(body, request, response);
    } catch (error) {
      sendFailure(app, `/ui/${name}`, error, response);
    }
  }

  return {
    serve(request, response, path) {
      for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
      const name = path.slice('/ui/'.length);
      if (request.method === 'POST') return act(name, request, response);
      if (request.method !== 'GET' || request.upgrade) return sendStatus(response, 405, { Allow: 'GET, POST' });
      // Relative addresses in the page need the slash.
      if (path === '/ui') return sendStatus(response, 308, { Location: '/ui/' });
      const hash = /^link\/(\w+)$/.exec(name)?.[1];
      if (hash !== undefined) return sendStatus(response, knowsLink(installation, hash) ? 204 : 404);
      assets(name, response);
    },
  };
}

/** `project` is the person's choice; without it, the project of the server's folder. */
async function callTool(app: App, body: Body, request: DirectRequest, response: ServerResponse): Promise<void> {
  const { tool, project, arguments: args = {} } = body;
  if (typeof tool !== 'string' || !isObject(args) || !(project === undefined || typeof project === 'string')) {
    throw new LoreError('invalid_input', 'Cannot call a tool: expected tool, arguments and perhaps project');
  }
  await app.load();
  const caller = project === undefined ? visitor : await app.folders.visit(visitor, project, 'write');
  const call = createPlainCall(caller, undefined, undefined, request.socket);
  response.on('close', () => {
    if (!response.writableFinished) call.cancel(new LoreError('timeout', 'Cannot answer: the page was closed'));
  });
  const { structured, content } = await app.registry.call(tool, args, call);
  sendJson(response, 200, JSON.stringify(structured ?? { content }));
}
