// The table of the program's own settings: file keys, environment variables, flags, defaults, help and docs are all derived from it.
// A setting without a flag cannot be given on a command line, where other users of the machine could read it.
import { describeLocation } from '../core/location.ts';
import { logThresholds } from '../core/log.ts';
import { rankModes } from '../core/rank-mode.ts';
import { coreProfile, permissionLevels } from '../core/registry/permission.ts';
import * as s from '../core/schema.ts';
import type { Setting } from '../core/setting.ts';

function setting<T>(schema: s.Schema<T>, fallback: T, rest: Omit<Setting<T>, 'schema' | 'fallback'>): Setting<T> {
  return { schema, fallback, ...rest };
}

/** Empty or an HTTP URL, without a password, because fetch rejects one. */
function webAddress(): s.Schema<string> {
  const text = s.string();
  const expected = 'http or https URL without user name and password';
  return {
    ...text,
    expected,
    read(value, path, issues) {
      const found = text.read(value, path, issues);
      if (typeof found !== 'string' || found === '') return found;
      const url = URL.canParse(found) ? new URL(found) : undefined;
      const fits = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
      if (!fits) issues.push({ path, expected, received: 'another text' });
      return found;
    },
  };
}

const megabyte = 1024 * 1024;
const profiles = ['full', coreProfile] as const;

export const settings = {
  host: setting(s.string({ min: 1 }), '127.0.0.1', {
    help: 'Address to which the HTTP server binds; any other than loopback needs a token',
    env: 'LORE_HOST',
    flag: 'host',
  }),
  port: setting(s.integer({ min: 0, max: 65_535 }), 8081, {
    help: 'Port of the HTTP server; 0 picks a free one',
    env: 'LORE_PORT',
    envAliases: ['SERVER_PORT'],
    flag: 'port',
  }),
  token: setting(s.string(), '', {
    help: 'Bearer token for HTTP clients, created by lore token; required from other users of this machine and beyond loopback',
    env: 'LORE_TOKEN',
    secret: true,
    live: true,
  }),
  token_required: setting(s.boolean(), false, {
    help: 'Require the token from every program, on loopback too',
    env: 'LORE_TOKEN_REQUIRED',
    flag: 'require-token',
    live: true,
  }),
  oauth_issuer: setting(webAddress(), '', {
    help: 'Authorization server (issuer URL) whose access tokens HTTP clients send; if empty, only the token above is accepted',
    env: 'LORE_OAUTH_ISSUER',
  }),
  oauth_resource: setting(webAddress(), '', {
    help: 'URL by which clients know this server, such as https://lore.example.com/mcp; access tokens must be issued for it',
    env: 'LORE_OAUTH_RESOURCE',
  }),
  oauth_claims: setting(
    s.record(s.string({ min: 1 })),
    {},
    {
      help: 'Names of the claims of an access token: "person", the caller (default sub), its "teams", whose projects it may use (default: all), and its "tenant", whose data it sees (default: all)',
    },
  ),
  oauth_client_id: setting(s.string(), '', {
    help: 'Client id of this server at the authorization server, to introspect tokens that are not signed',
    env: 'LORE_OAUTH_CLIENT_ID',
  }),
  oauth_client_secret: setting(s.string(), '', {
    help: 'Client secret for the same',
    env: 'LORE_OAUTH_CLIENT_SECRET',
    secret: true,
  }),
  peer_url: setting(webAddress(), '', {
    help: 'URL at which the other servers of this database reach this one, such as http://10.0.0.3:8081; if empty, a session is served only where it began',
    env: 'LORE_PEER_URL',
  }),
  sync_minutes: setting(s.integer({ min: 0, max: 10_080 }), 0, {
    help: 'Minutes between automatic syncs of a project that somebody works in, after its remote was chosen; 0 for none',
    env: 'LORE_SYNC_MINUTES',
    live: true,
  }),
  signing_key: setting(s.string(), '', {
    help: 'SSH key that signs the memories you share with a team, such as ~/.ssh/id_ed25519; if empty, they are not signed',
    env: 'LORE_SIGNING_KEY',
    live: true,
  }),
  project: setting(s.string(), '', {
    help: 'Project to work in: a folder, or the name or id of a known project; if empty, that of the working directory',
    env: 'LORE_PROJECT',
    envAliases: ['KUZU_MEMORY_PROJECT'],
    flag: 'project',
  }),
  db: setting(s.string(), '', {
    help: 'Database: a SQLite file or a postgres:// URL; if empty, lore.db in the user data folder',
    env: 'LORE_DB',
    envAliases: ['CONTEXTGRAPH_DB'],
    show: describeLocation,
  }),
  db_wait_ms: setting(s.integer({ min: 1 }), 30_000, {
    help: 'Busy timeout, in ms: how long to wait for a locked database, or for a PostgreSQL server that is restarting',
    env: 'LORE_DB_WAIT_MS',
  }),
  embed_url: setting(webAddress(), '', {
    help: 'URL of an OpenAI-compatible embeddings endpoint, such as http://127.0.0.1:11434/v1; if empty, the built-in table is used',
    env: 'LORE_EMBED_URL',
  }),
  embed_model: setting(s.string(), '', {
    help: 'Model name for the embeddings endpoint',
    env: 'LORE_EMBED_MODEL',
  }),
  embed_key: setting(s.string(), '', {
    help: 'Bearer token for the embeddings endpoint, if it needs one',
    env: 'LORE_EMBED_KEY',
    secret: true,
  }),
  embed_dimensions: setting(s.integer({ min: 0, max: 8_192 }), 0, {
    help: 'Dimensions of the vectors, for models that support several; 0 for the default of the model',
    env: 'LORE_EMBED_DIMENSIONS',
  }),
  embed_timeout_ms: setting(s.integer({ min: 1 }), 2_000, {
    help: 'Timeout for embedding a query, in ms; after it, the search uses keywords only',
    env: 'LORE_EMBED_TIMEOUT_MS',
  }),
  rank: setting(s.oneOf(rankModes), 'auto', {
    help: 'Ranking of search results: "fast", "deep" (a small language model reads the best results), or "auto" (deep in a server that has loaded the model)',
    env: 'LORE_RANK',
    live: true,
  }),
  rank_budget_ms: setting(s.integer({ min: 1, max: 60_000 }), 200, {
    help: 'Time budget for the deep ranking of one search, in ms; results that are not read in time keep the fast order',
    env: 'LORE_RANK_BUDGET_MS',
    live: true,
  }),
  roots: setting(s.list(s.string({ min: 1 })), [], {
    help: 'Folders whose projects and files callers may use, besides their own project',
    env: 'LORE_ROOTS',
    flag: 'root',
    live: true,
  }),
  allowed_hosts: setting(s.list(s.string()), [], {
    help: 'Accepted values of the Host header, besides loopback names and the bound address',
    env: 'LORE_ALLOWED_HOSTS',
    flag: 'allow-host',
    live: true,
  }),
  allowed_origins: setting(s.list(s.string()), [], {
    help: 'Origins of web pages that may connect, such as http://localhost:3000',
    env: 'LORE_ALLOWED_ORIGINS',
    flag: 'allow-origin',
    live: true,
  }),
  log_level: setting(s.oneOf(logThresholds), 'info', {
    help: 'Lowest level that is logged to stderr; "debug" (or MCP_DEBUG=1) also logs every message',
    env: 'LOG_LEVEL',
    flag: 'log-level',
    live: true,
  }),
  read_only: setting(s.boolean(), false, {
    help: 'Refuse every tool that changes data',
    env: 'LORE_READ_ONLY',
    flag: 'read-only',
    live: true,
  }),
  permissions: setting(
    s.record(s.oneOf(permissionLevels)),
    {},
    {
      help: 'Level by tool, group or service: "off", "read" or "write"; "projects" is for projects other than the caller’s own. Set by lore allow',
      live: true,
    },
  ),
  profile: setting(s.oneOf(profiles), 'full', {
    help: 'Tools in the list of clients that shown_tools does not name: all, or only "core", about 1,400 tokens; tool_find finds the others',
    env: 'LORE_PROFILE',
    flag: 'profile',
    live: true,
  }),
  shown_tools: setting(
    s.record(s.list(s.string({ min: 1 }))),
    {},
    {
      help: 'Tools in the list of each client: names of tools, groups or services, or "core", by client name, "*" for all other clients. Saves tokens; permissions decide what may be called',
      live: true,
    },
  ),
  pinned_tools: setting(s.integer({ min: 0, max: 100 }), 12, {
    help: 'Most tools that lore forge pin adds to the list of tools; the most used come first',
  }),
  pinned_tokens: setting(s.integer({ min: 0, max: 100_000 }), 4_000, {
    help: 'Most tokens that the pinned tools may add to the list of tools',
  }),
  logs: setting(s.list(s.string({ min: 1 })), [], {
    help: 'Logs that the eventlog tools may read; if empty, all',
    live: true,
  }),
  unconfirmed_tools: setting(s.list(s.string({ min: 1 })), [], {
    help: 'Tools that may change the system without a confirmation. Set by lore allow',
    aliases: ['unasked'],
    live: true,
  }),
  pseudonyms: setting(s.boolean(), false, {
    help: 'Replace names of users and hosts, IP and email addresses with pseudonyms in results of the system tools; lore reveal shows the real value',
    env: 'LORE_PSEUDONYMS',
    live: true,
  }),
  paused: setting(
    s.record(s.string()),
    {},
    { help: 'Pauses of learning, by project id or "all", as from/until. Set by lore pause', live: true },
  ),
  ignore_folders: setting(s.list(s.string({ min: 1 })), [], {
    help: 'Folders in which hooks and learn do nothing, with their subfolders: paths or names, with ~, * and **',
    env: 'LORE_IGNORE_FOLDERS',
    live: true,
  }),
  sampling_timeout_ms: setting(s.integer({ min: 0, max: 300_000 }), 30_000, {
    help: 'Timeout for the client’s model to pick facts for learn, in ms, if the client offers sampling; 0 disables it',
    env: 'LORE_SAMPLING_TIMEOUT_MS',
    live: true,
  }),
  disabled_services: setting(s.list(s.string()), [], {
    help: 'Services to disable',
    env: 'LORE_DISABLED_SERVICES',
    flag: 'disable-service',
    live: true,
  }),
  call_timeout_ms: setting(s.integer({ min: 1 }), 180_000, {
    help: 'Timeout for every call, in ms; cloning a repository may take minutes',
    env: 'LORE_CALL_TIMEOUT_MS',
    flag: 'call-timeout-ms',
    live: true,
  }),
  rate_limit: setting(s.integer({ min: 1 }), 60, {
    help: 'Maximum calls per minute of each expensive tool, per caller',
    env: 'LORE_RATE_LIMIT',
    live: true,
  }),
  max_message_bytes: setting(s.integer({ min: 1024 }), 8 * megabyte, {
    help: 'Maximum size of a message from a client, in bytes',
    env: 'LORE_MAX_MESSAGE_BYTES',
  }),
  max_result_bytes: setting(s.integer({ min: 1024 }), 8 * megabyte, {
    help: 'Maximum size of a result, in bytes',
    env: 'LORE_MAX_RESULT_BYTES',
  }),
  structured: setting(s.boolean(), false, {
    help: 'Send MCP clients results as data (structuredContent) and output schemas; some clients then show their model the data instead of the text',
    env: 'LORE_STRUCTURED',
    flag: 'structured',
  }),
  page_size: setting(s.integer({ min: 1 }), 100, {
    help: 'Entries per page in lists of tools, resources and prompts',
    env: 'LORE_PAGE_SIZE',
  }),
  max_sessions: setting(s.integer({ min: 1 }), 20_000, {
    help: 'Maximum number of HTTP sessions; beyond it, the one idle longest ends',
    env: 'LORE_MAX_SESSIONS',
  }),
  session_idle_ms: setting(s.integer({ min: 1000 }), 60 * 60_000, {
    help: 'Idle time after which an HTTP session ends, in ms',
    env: 'LORE_SESSION_IDLE_MS',
  }),
} satisfies Record<string, unknown>;

type Table = typeof settings;
export type SettingKey = keyof Table;
export type Settings = { [K in SettingKey]: s.Infer<Table[K]['schema']> };

/** The table as rows, for code that treats all settings alike. */
export const settingRows = Object.entries(settings) as [SettingKey, Setting<unknown>][];
