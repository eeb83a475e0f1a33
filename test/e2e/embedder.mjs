// The program that embedder.test.ts runs: it knows the package only by what it exports.
import {
  createApp,
  createLog,
  createPlainCall,
  defineTool,
  loadConfig,
  localCaller,
  schema,
  serveHttp,
  sql,
} from 'lorekeeper';

const observed = [];

/** @param {import('lorekeeper').ServiceParts} parts @returns {import('lorekeeper').Service} */
function createBoard({ graph }) {
  /** @type {import('lorekeeper').Host} */
  let host;
  const read = async () =>
    graph.query(({ store }) => store.all(sql`select text, colour from board_note order by text`));
  return {
    id: 'board',
    title: 'Board',
    summary: 'Notes on a board.',
    settings: {
      board_colour: { schema: schema.string(), fallback: 'yellow', help: 'Colour of new notes', env: 'BOARD_COLOUR' },
    },
    migrations: [
      { id: 'board/1', up: () => [sql`create table board_note (text text not null, colour text not null)`] },
    ],
    start(given) {
      host = given;
      host.observe(({ name, outcome }) => observed.push(`${name} ${outcome}`));
    },
    tools: () => [
      defineTool({
        name: 'board_pin',
        title: 'Pin a note',
        description: 'Pins a note to the board.',
        effect: 'write',
        input: schema.object({ text: schema.string() }),
        output: schema.object({ pinned: schema.integer() }),
        async run({ text }) {
          const colour = String(host.setting('board_colour'));
          const pinned = await graph.query(({ store }) =>
            store.run(sql`insert into board_note (text, colour) values (${text}, ${colour})`),
          );
          return { pinned };
        },
      }),
      defineTool({
        name: 'board_secret',
        title: 'Secrets of the board',
        description: 'Not allowed until a person allows it.',
        effect: 'read',
        allowed: 'off',
        input: schema.object({}),
        run: () => 'nothing',
      }),
    ],
    routes: () => [
      {
        method: 'GET',
        path: '/page',
        answer: async () => ({
          type: 'text/html',
          body: (await read()).map(({ text }) => `<p>${text}</p>`).join(''),
        }),
      },
      {
        method: 'GET',
        path: '/files/*',
        answer: ({ rest, query }) => ({ body: { rest, query: query.get('q') } }),
      },
      { method: 'GET', path: '/secret', permission: 'board_secret', answer: () => ({ body: 'nothing' }) },
    ],
    commands: () => [{ name: 'board', summary: 'Show the board', examples: [], run: () => 0 }],
  };
}

const config = loadConfig({ flags: { port: '0' }, services: [createBoard(/** @type {any} */ ({}))] });
const log = createLog('silent');
const app = await createApp({ config, log, services: (parts) => [createBoard(parts)] });
const { structured: called } = await app.registry.call('board_pin', { text: 'ship it' }, createPlainCall(localCaller));
const kept = await app.registry.call(
  'remember',
  { content: 'Deploys go out on Tuesdays.' },
  createPlainCall(localCaller),
);
const rows = await app.graph.query(({ store }) => store.all(sql`select text, colour from board_note`));

const server = await serveHttp(app);
/** @param {string} path */
const get = (path) => fetch(new URL(path, server.url));
const page = await get('/board/page');
const rest = await get('/board/files/a/b?q=1');
const seen = {
  called,
  remembered: kept.structured.id,
  rows,
  page: { status: page.status, type: page.headers.get('content-type'), body: await page.text() },
  rest: { status: rest.status, body: await rest.json() },
  forbidden: (await get('/board/secret')).status,
  missing: (await get('/board/other')).status,
  commands: app.offered.flatMap((service) => service.commands?.() ?? []).map(({ name }) => name),
  observed,
};
await server.stop();

// The same database without the service, as the program's own commands open it.
const plain = await createApp({ config: loadConfig(), log, stays: false });
await plain.graph.open();
await plain.stop();
process.stdout.write(JSON.stringify({ ...seen, reopened: 'ok' }));
