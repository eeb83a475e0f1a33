// The only table of settings: file keys, environment variables, flags, defaults, help and docs are all derived from it.
// A setting without a flag cannot be given on a command line, where other users of the machine could read it.
import { describeLocation } from '../core/location.ts';
import { logThresholds } from '../core/log.ts';
import { permissionLevels } from '../core/permission.ts';
import * as s from '../core/schema.ts';

export interface Setting<T> {
  schema: s.Schema<T>;
  fallback: T;
  help: string;
  env?: string;
  flag?: string;
  /** Older or foreign names of the variable. */
  envAliases?: readonly string[];
  /** The value as people may see it, where it is or holds a secret. */
  show?(value: T): string;
  /** Takes effect in a running server when the file changes. */
  live?: boolean;
}

function setting<T>(schema: s.Schema<T>, fallback: T, rest: Omit<Setting<T>, 'schema' | 'fallback'>): Setting<T> {
  return { schema, fallback, ...rest };
}

/** Empty, or where HTTP requests can be sent; fetch takes no address with a password in it. */
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

export const settings = {
  host: setting(s.string({ min: 1 }), '127.0.0.1', {
    help: 'Address the HTTP server binds. Beyond loopback a token is required.',
    env: 'LORE_HOST',
    flag: 'host',
  }),
  port: setting(s.integer({ min: 0, max: 65_535 }), 8081, {
    help: 'Port of the HTTP server; 0 picks a free one.',
    env: 'LORE_PORT',
    flag: 'port',
  }),
  token: setting(s.string(), '', {
    help: 'Bearer token for HTTP clients. Beyond loopback, and for other users of this machine, it is required. lore token creates one.',
    env: 'LORE_TOKEN',
    show: (token) => (token === '' ? '' : '(set)'),
    live: true,
  }),
  token_required: setting(s.boolean(), false, {
    help: 'Require the token on loopback as well, from every program.',
    env: 'LORE_TOKEN_REQUIRED',
    flag: 'require-token',
    live: true,
  }),
  db: setting(s.string(), '', {
    help: 'The database: a file for SQLite, or postgres://… Empty: lore.db in the folder for user data.',
    env: 'LORE_DB',
    envAliases: ['CONTEXTGRAPH_DB'],
    show: describeLocation,
  }),
  db_wait_ms: setting(s.integer({ min: 1 }), 30_000, {
    help: 'Longest to wait for a database that another process holds, or whose server is coming back.',
    env: 'LORE_DB_WAIT_MS',
  }),
  embed_url: setting(webAddress(), '', {
    help: 'Embeddings endpoint of OpenAI’s shape, like http://127.0.0.1:11434/v1. Empty: the table that comes along.',
    env: 'LORE_EMBED_URL',
  }),
  embed_model: setting(s.string(), '', {
    help: 'Model to ask the endpoint for.',
    env: 'LORE_EMBED_MODEL',
  }),
  embed_key: setting(s.string(), '', {
    help: 'Bearer token for the endpoint. Empty: none.',
    env: 'LORE_EMBED_KEY',
    show: (key) => (key === '' ? '' : '(set)'),
  }),
  embed_dimensions: setting(s.integer({ min: 0, max: 8_192 }), 0, {
    help: 'Numbers in a vector, for models that let one choose; 0 leaves it to the model.',
    env: 'LORE_EMBED_DIMENSIONS',
  }),
  embed_timeout_ms: setting(s.integer({ min: 1 }), 2_000, {
    help: 'Longest a question waits for the endpoint; then words alone answer it.',
    env: 'LORE_EMBED_TIMEOUT_MS',
  }),
  roots: setting(s.list(s.string({ min: 1 })), [], {
    help: 'Folders in which callers may name projects and read files, besides their own.',
    env: 'LORE_ROOTS',
    flag: 'root',
    live: true,
  }),
  allowed_hosts: setting(s.list(s.string()), [], {
    help: 'Further values of the Host header to accept, besides loopback names and the bound address.',
    env: 'LORE_ALLOWED_HOSTS',
    flag: 'allow-host',
    live: true,
  }),
  allowed_origins: setting(s.list(s.string()), [], {
    help: 'Origins of web pages that may connect, like http://localhost:3000. Default: none.',
    env: 'LORE_ALLOWED_ORIGINS',
    flag: 'allow-origin',
    live: true,
  }),
  log_level: setting(s.oneOf(logThresholds), 'info', {
    help: 'Least level written to stderr. "debug" also shows every message; MCP_DEBUG=1 is its short form.',
    env: 'LOG_LEVEL',
    flag: 'log-level',
    live: true,
  }),
  read_only: setting(s.boolean(), false, {
    help: 'Refuse every tool that changes something.',
    env: 'LORE_READ_ONLY',
    flag: 'read-only',
    live: true,
  }),
  permissions: setting(
    s.record(s.oneOf(permissionLevels)),
    {},
    {
      help: 'What may be called, by tool, group of tools or service: "off", "read" or "write"; "projects" is for projects other than the caller’s own. lore allow sets them.',
      live: true,
    },
  ),
  logs: setting(s.list(s.string({ min: 1 })), [], {
    help: 'Logs that may be read once eventlog is allowed. Empty: all of them.',
    live: true,
  }),
  unasked: setting(s.list(s.string({ min: 1 })), [], {
    help: 'Tools that change the system without asking the person each time.',
    live: true,
  }),
  pseudonyms: setting(s.boolean(), false, {
    help: 'Replace users, hosts, IP and mail addresses in results of the system tools with pseudonyms; lore reveal turns them back.',
    env: 'LORE_PSEUDONYMS',
    live: true,
  }),
  paused: setting(
    s.record(s.string()),
    {},
    { help: 'Pauses of learning, by project id or "all", as from/until. Set by lore pause.', live: true },
  ),
  ignore_folders: setting(s.list(s.string({ min: 1 })), [], {
    help: 'Folders in which hooks and learn do nothing, subfolders included: paths or names, with ~, * and **.',
    env: 'LORE_IGNORE_FOLDERS',
    live: true,
  }),
  sampling_timeout_ms: setting(s.integer({ min: 0, max: 300_000 }), 30_000, {
    help: "Timeout for the client's model to pick the facts for learn, in ms, if the client offers sampling; 0 never asks it.",
    env: 'LORE_SAMPLING_TIMEOUT_MS',
    live: true,
  }),
  disabled_services: setting(s.list(s.string()), [], {
    help: 'Services that are not started.',
    env: 'LORE_DISABLED_SERVICES',
    flag: 'disable-service',
    live: true,
  }),
  call_timeout_ms: setting(s.integer({ min: 1 }), 60_000, {
    help: 'Longest a tool call may take, unless the tool has its own limit.',
    env: 'LORE_CALL_TIMEOUT_MS',
    flag: 'call-timeout-ms',
    live: true,
  }),
  rate_limit: setting(s.integer({ min: 1 }), 60, {
    help: 'Calls a minute of one expensive tool by one caller.',
    env: 'LORE_RATE_LIMIT',
    live: true,
  }),
  max_message_bytes: setting(s.integer({ min: 1024 }), 8 * megabyte, {
    help: 'Largest message accepted from a client.',
    env: 'LORE_MAX_MESSAGE_BYTES',
  }),
  max_result_bytes: setting(s.integer({ min: 1024 }), 8 * megabyte, {
    help: 'Largest result sent to a client.',
    env: 'LORE_MAX_RESULT_BYTES',
  }),
  structured: setting(s.boolean(), false, {
    help: 'Send MCP clients results as data (structuredContent) and output schemas. Some clients then show their model the data instead of the text.',
    env: 'LORE_STRUCTURED',
    flag: 'structured',
  }),
  page_size: setting(s.integer({ min: 1 }), 100, {
    help: 'Entries in one page of a list of tools, resources or prompts.',
    env: 'LORE_PAGE_SIZE',
  }),
  max_sessions: setting(s.integer({ min: 1 }), 20_000, {
    help: 'HTTP sessions kept at once; beyond it the longest idle one ends.',
    env: 'LORE_MAX_SESSIONS',
  }),
  session_idle_ms: setting(s.integer({ min: 1000 }), 60 * 60_000, {
    help: 'An HTTP session without traffic ends after this time.',
    env: 'LORE_SESSION_IDLE_MS',
  }),
} satisfies Record<string, unknown>;

type Table = typeof settings;
export type SettingKey = keyof Table;
export type Settings = { [K in SettingKey]: s.Infer<Table[K]['schema']> };

/** The table as rows, for code that treats all settings alike. */
export const settingRows = Object.entries(settings) as [SettingKey, Setting<unknown>][];
