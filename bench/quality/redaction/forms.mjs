// Synthetic secrets by name, each made of a public format and seeded chance: no real one is stored, and no whole one
// stands in a file that a hosting platform would scan. `bare` ones are known by their own form; the others need
// surroundings.
import { crc32 } from 'node:zlib';
import { createChance } from './chance.mjs';

const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const digit = '0123456789';
const hex = '0123456789abcdef';
const base62 = digit + upper + lower;
const base32 = `${upper}234567`;
const urlSafe = `${base62}_-`;
const base64 = `${base62}+/`;
const bech32 = 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L';

/** @typedef {ReturnType<typeof createChance>} Chance */

/** GitHub and npm end a token with the CRC-32 of its random part in base 62. @param {string} prefix @param {Chance} c */
function withChecksum(prefix, c) {
  const random = c.text(base62, 30);
  let rest = (crc32 ?? crcOf)(random);
  let check = '';
  for (let i = 0; i < 6; i++) {
    check = base62[rest % 62] + check;
    rest = Math.floor(rest / 62);
  }
  return prefix + random + check;
}

/** `zlib.crc32` came with Node 20.15; older ones go the long way. @param {string} text */
function crcOf(text) {
  let crc = ~0;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}

/** @param {unknown} value */
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** @param {Chance} c @param {number} lines */
const pemBody = (c, lines) =>
  `${Array.from({ length: lines }, () => c.text(base64, 64)).join('\n')}\n${c.text(base64, 43)}=`;

/** @param {Chance} c */
const jwt = (c) =>
  `${encode({ alg: c.one(['HS256', 'RS256', 'ES256']), typ: 'JWT' })}.${encode({ sub: c.text(digit, 10), iat: 1700000000 + c.below(9e7), role: c.one(['user', 'admin', 'service']) })}.${c.text(urlSafe, 43)}`;

/** @param {Chance} c */
const password = (c) => `${c.one([...upper])}${c.text(base62, 8 + c.below(7))}${c.one([...digit])}${c.one([...lower])}`;

/** @param {Chance} c */
const word = (c) =>
  c.one('Zebra Lamp Orange River Cactus Piano Falcon Copper Window Bridge Tulip Rocket Maple Anchor'.split(' '));

/** Sixteen digits whose last one is Luhn's. @param {Chance} c */
function cardOf(c) {
  const digits = `4539${c.text(digit, 11)}`;
  let sum = 0;
  for (const [i, sign] of [...digits].entries()) {
    const doubled = i % 2 === 0 ? Number(sign) * 2 : Number(sign);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** @param {Chance} c */
const pemBase64 = (c) =>
  Buffer.from(
    ['-----BEGIN RSA PRIVATE', `KEY-----\n${pemBody(c, 6)}\n-----END RSA PRIVATE`, 'KEY-----\n'].join(' '),
  ).toString('base64');

/** @type {Record<string, { rule: string, bare?: boolean, leak?: boolean, make: (c: Chance) => string }>} */
export const forms = {
  awsId: { rule: 'aws-access-key', bare: true, make: (c) => c.one(['AKIA', 'ASIA']) + c.text(base32, 16) },
  awsSecret: { rule: 'aws-secret-key', make: (c) => c.text(base64, 40) },
  awsSession: { rule: 'aws-session-token', make: (c) => `IQoJb3JpZ2luX2Vj${c.text(base64, 240)}==` },
  gcpApiKey: { rule: 'gcp-api-key', bare: true, make: (c) => `AIza${c.text(urlSafe, 35)}` },
  gcpClientSecret: { rule: 'gcp-oauth-secret', bare: true, make: (c) => `GOCSPX-${c.text(urlSafe, 28)}` },
  gcpAccess: { rule: 'gcp-oauth-token', bare: true, make: (c) => `ya29.${c.text(urlSafe, 120)}` },
  azureAccountKey: { rule: 'azure-key', make: (c) => `${c.text(base64, 86)}==` },
  azureSharedKey: { rule: 'azure-key', make: (c) => `${c.text(base64, 43)}=` },
  azureSas: { rule: 'azure-sas', make: (c) => `${c.text(base62, 41)}%2B%3D` },
  azureClient: { rule: 'azure-client-secret', bare: true, make: (c) => `${c.text(base62, 3)}8Q~${c.text(base62, 34)}` },
  githubClassic: { rule: 'github-token', bare: true, make: (c) => withChecksum('ghp_', c) },
  githubOther: {
    rule: 'github-token',
    bare: true,
    make: (c) => withChecksum(c.one(['gho_', 'ghu_', 'ghs_', 'ghr_']), c),
  },
  githubFine: {
    rule: 'github-token',
    bare: true,
    make: (c) => `github_pat_${c.text(base62, 22)}_${c.text(base62, 59)}`,
  },
  gitlab: {
    rule: 'gitlab-token',
    bare: true,
    make: (c) => c.one(['glpat-', 'gldt-', 'glptt-', 'glft-']) + c.text(urlSafe, 20),
  },
  gitlabRunner: { rule: 'gitlab-token', bare: true, make: (c) => `glrt-${c.text(urlSafe, 20)}` },
  bitbucket: { rule: 'atlassian-token', bare: true, make: (c) => `ATBB${c.text(base62, 32)}` },
  atlassian: {
    rule: 'atlassian-token',
    bare: true,
    make: (c) => `ATATT3xFfGF0${c.text(urlSafe, 171)}=${c.text(hex.toUpperCase(), 8)}`,
  },
  npm: { rule: 'npm-token', bare: true, make: (c) => withChecksum('npm_', c) },
  pypi: { rule: 'pypi-token', bare: true, make: (c) => `pypi-AgEIcHlwaS5vcmc${c.text(urlSafe, 150)}` },
  openai: { rule: 'openai-key', bare: true, make: (c) => `sk-${c.text(base62, 20)}T3BlbkFJ${c.text(base62, 20)}` },
  openaiProject: {
    rule: 'openai-key',
    bare: true,
    make: (c) => `sk-proj-${c.text(urlSafe, 73)}xT3BlbkFJ${c.text(urlSafe, 73)}A`,
  },
  anthropic: {
    rule: 'anthropic-key',
    bare: true,
    make: (c) => `sk-ant-${c.one(['api03', 'admin01', 'oat01'])}-${c.text(urlSafe, 93)}AA`,
  },
  huggingface: { rule: 'huggingface-token', bare: true, make: (c) => `hf_${c.text(upper + lower, 34)}` },
  replicate: { rule: 'replicate-token', bare: true, make: (c) => `r8_${c.text(base62, 37)}` },
  groq: { rule: 'groq-key', bare: true, make: (c) => `gsk_${c.text(base62, 52)}` },
  slackBot: {
    rule: 'slack-token',
    bare: true,
    make: (c) => `xoxb-${c.text(digit, 12)}-${c.text(digit, 13)}-${c.text(base62, 24)}`,
  },
  slackUser: {
    rule: 'slack-token',
    bare: true,
    make: (c) => `xoxp-${c.text(digit, 12)}-${c.text(digit, 12)}-${c.text(digit, 13)}-${c.text(hex, 32)}`,
  },
  slackApp: {
    rule: 'slack-token',
    bare: true,
    make: (c) => `xapp-1-A0${c.text(digit + upper, 9)}-${c.text(digit, 13)}-${c.text(hex, 64)}`,
  },
  slackHook: {
    rule: 'slack-webhook',
    make: (c) => `T0${c.text(digit + upper, 9)}/B0${c.text(digit + upper, 9)}/${c.text(base62, 24)}`,
  },
  discordBot: {
    rule: 'discord-token',
    bare: true,
    make: (c) =>
      `${Buffer.from(`1${c.text(digit, 17)}`).toString('base64url')}.G${c.text(urlSafe, 5)}.${c.text(base62, 38)}`,
  },
  discordHook: { rule: 'discord-webhook', make: (c) => `${c.text(base62, 34)}-${c.text(base62, 33)}` },
  telegram: {
    rule: 'telegram-token',
    bare: true,
    make: (c) =>
      `${1 + c.below(9)}${c.text(digit, 9)}:AA${c.one(['E', 'F', 'G', 'H'])}${c.text(urlSafe, 31)}${c.one([...base62])}`,
  },
  stripe: {
    rule: 'stripe-key',
    bare: true,
    make: (c) => `${c.one(['sk_live_', 'rk_live_', 'sk_test_'])}51${c.text(base62, 97)}`,
  },
  stripeShort: {
    rule: 'stripe-key',
    bare: true,
    make: (c) => `${c.one(['sk_live_', 'rk_live_'])}${c.text(base62, 24)}`,
  },
  stripeHook: { rule: 'stripe-key', bare: true, make: (c) => `whsec_${c.text(base62, 32)}` },
  twilioKey: { rule: 'twilio-key', bare: true, make: (c) => `SK${c.text(hex, 32)}` },
  twilioAuth: { rule: 'twilio-key', make: (c) => c.text(hex, 32) },
  sendgrid: { rule: 'sendgrid-key', bare: true, make: (c) => `SG.${c.text(urlSafe, 22)}.${c.text(urlSafe, 43)}` },
  mailgun: { rule: 'mailgun-key', bare: true, make: (c) => `key-${c.text(hex, 32)}` },
  mailgunLong: { rule: 'mailgun-key', make: (c) => `${c.text(hex, 32)}-${c.text(hex, 8)}-${c.text(hex, 8)}` },
  square: { rule: 'square-token', bare: true, make: (c) => `sq0atp-${c.text(urlSafe, 22)}` },
  squareSecret: { rule: 'square-token', bare: true, make: (c) => `sq0csp-${c.text(urlSafe, 43)}` },
  squareLong: { rule: 'square-token', bare: true, make: (c) => `EAAA${c.text(urlSafe, 60)}` },
  shopify: {
    rule: 'shopify-token',
    bare: true,
    make: (c) => c.one(['shpat_', 'shpca_', 'shppa_', 'shpss_']) + c.text(hex, 32),
  },
  digitalocean: {
    rule: 'digitalocean-token',
    bare: true,
    make: (c) => c.one(['dop_v1_', 'doo_v1_', 'dor_v1_']) + c.text(hex, 64),
  },
  heroku: { rule: 'heroku-key', bare: true, make: (c) => `HRKU-AA${c.text(urlSafe, 58)}` },
  herokuUuid: { rule: 'heroku-key', make: (c) => c.uuid() },
  cloudflare: {
    rule: 'cloudflare-token',
    bare: true,
    make: (c) => `${c.one(['cfut_', 'cfat_', 'cfk_'])}${c.text(base62, 40)}${c.text(hex, 8)}`,
  },
  cloudflareOld: { rule: 'cloudflare-token', make: (c) => c.text(urlSafe, 40) },
  cloudflareGlobal: { rule: 'cloudflare-token', make: (c) => c.text(hex, 37) },
  cloudflareCa: { rule: 'cloudflare-token', bare: true, make: (c) => `v1.0-${c.text(hex, 24)}-${c.text(hex, 146)}` },
  datadogApi: { rule: 'datadog-key', make: (c) => c.text(hex, 32) },
  datadogApp: { rule: 'datadog-key', make: (c) => c.text(hex, 40) },
  newrelic: { rule: 'newrelic-key', bare: true, make: (c) => `NRAK-${c.text(upper + digit, 27)}` },
  newrelicLicense: { rule: 'newrelic-key', bare: true, make: (c) => `${c.text(hex, 36)}NRAL` },
  sentryDsn: { rule: 'sentry-dsn', make: (c) => c.text(hex, 32) },
  sentryUser: { rule: 'sentry-token', bare: true, make: (c) => `sntryu_${c.text(hex, 64)}` },
  sentryOrg: {
    rule: 'sentry-token',
    bare: true,
    make: (c) =>
      `sntrys_${Buffer.from(JSON.stringify({ iat: 1700000000.25 + c.below(9e6), url: 'https://sentry.io', region_url: 'https://us.sentry.io', org: 'acme' })).toString('base64')}_${c.text(base64, 43)}`,
  },
  vault: { rule: 'vault-token', bare: true, make: (c) => `hvs.${c.text(urlSafe, 95)}` },
  vaultBatch: { rule: 'vault-token', bare: true, make: (c) => `hvb.${c.text(urlSafe, 150)}` },
  vaultOld: { rule: 'vault-token', make: (c) => `s.${c.text(base62, 24)}` },
  terraform: {
    rule: 'terraform-token',
    bare: true,
    make: (c) => `${c.text(base62, 14)}.atlasv1.${c.text(base62, 67)}`,
  },
  doppler: {
    rule: 'doppler-token',
    bare: true,
    make: (c) => `${c.one(['dp.pt.', 'dp.ct.', 'dp.sa.', 'dp.st.prd.'])}${c.text(base62, 43)}`,
  },
  linear: { rule: 'linear-key', bare: true, make: (c) => `lin_api_${c.text(base62, 40)}` },
  notion: { rule: 'notion-token', bare: true, make: (c) => `ntn_${c.text(digit, 11)}${c.text(base62, 35)}` },
  notionOld: { rule: 'notion-token', bare: true, make: (c) => `secret_${c.text(base62, 43)}` },
  figma: { rule: 'figma-token', bare: true, make: (c) => `figd_${c.text(urlSafe, 40)}` },
  postman: { rule: 'postman-key', bare: true, make: (c) => `PMAK-${c.text(hex, 24)}-${c.text(hex, 34)}` },
  pagerduty: { rule: 'pagerduty-key', make: (c) => `u+${c.text(base62, 18)}` },
  pagerdutyOld: { rule: 'pagerduty-key', make: (c) => `y_${c.text(base62, 18)}` },
  databricks: { rule: 'databricks-token', bare: true, make: (c) => `dapi${c.text(hex, 32)}` },
  supabase: { rule: 'supabase-key', bare: true, make: (c) => `sbp_${c.text(hex, 40)}` },
  supabaseSecret: {
    rule: 'supabase-key',
    bare: true,
    make: (c) => `sb_secret_${c.text(urlSafe, 22)}_${c.text(base62, 8)}`,
  },
  planetscale: {
    rule: 'planetscale-token',
    bare: true,
    make: (c) => `${c.one(['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'])}${c.text(urlSafe, 43)}`,
  },
  age: { rule: 'age-key', bare: true, make: (c) => `AGE-SECRET-KEY-1${c.text(bech32, 58)}` },
  jwt: { rule: 'jwt', bare: true, make: jwt },
  pem: { rule: 'private-key', make: (c) => pemBody(c, 6) },
  pemLine: { rule: 'private-key', make: (c) => pemBody(c, 4).replaceAll('\n', '\\n') },
  pgp: { rule: 'private-key', make: (c) => `${pemBody(c, 5)}\n=${c.text(base64, 4)}` },
  bearer: { rule: 'authorization', make: (c) => c.text(base62, 40) },
  basic: {
    rule: 'authorization',
    make: (c) => Buffer.from(`svc-${c.text(lower, 6)}:${c.text(base62, 14)}`).toString('base64'),
  },
  cookie: { rule: 'cookie', make: (c) => c.text(base62, 32) },
  cookieSigned: { rule: 'cookie', make: (c) => `s%3A${c.text(base62, 32)}.${c.text(base62, 43)}` },
  urlPassword: { rule: 'url-password', make: password },
  urlToken: { rule: 'url-password', make: (c) => c.text(base62, 32) },
  curlPassword: { rule: 'command-password', make: password },
  netrc: { rule: 'netrc-password', make: password },
  password: { rule: 'assigned-secret', make: password },
  symbols: {
    rule: 'assigned-secret',
    make: (c) =>
      `${c.text(base62, 5)}${c.text('!#%^*+~', 2)}${c.text(base62, 5)}${c.text('!#%^*', 1)}${c.one([...digit])}`,
  },
  weak: {
    rule: 'assigned-secret',
    make: (c) =>
      `${c.one(['Sunshine', 'tiger', 'Winter', 'dragonfly', 'Madrid', 'guitar'])}${c.text('!@#', 1)}${c.text('23456789', 4)}`,
  },
  words: {
    rule: 'assigned-secret',
    make: (c) =>
      `${c.one(['copper', 'violet', 'marble', 'timber'])}${c.one(['walrus', 'canyon', 'lantern', 'harbor'])}`,
  },
  hexSecret: { rule: 'assigned-secret', make: (c) => c.text(hex, 64) },
  hexShort: { rule: 'assigned-secret', make: (c) => c.text(hex, 32) },
  opaque: { rule: 'assigned-secret', make: (c) => c.text(base62, 32) },
  base64Secret: { rule: 'assigned-secret', make: (c) => `${c.text(base64, 43)}=` },
  // In sentences.
  mixed: {
    rule: 'secret',
    make: (c) =>
      `${c.one([...upper])}${c.text(lower, 1)}${c.text(digit, 2)}${c.text(lower, 2)}${c.one([...upper])}${c.text(base62, 2 + c.below(4))}`,
  },
  phrase: { rule: 'secret', make: (c) => `${word(c)}-${word(c)}-${10 + c.below(90)}` },
  leet: {
    rule: 'secret',
    make: (c) => `${c.one(['hunter', 'tiger', 'panda', 'comet'])}${c.text(digit, 1)}${word(c).toLowerCase()}`,
  },
  ampersand: {
    rule: 'assigned-secret',
    make: (c) => `${c.one(['Tr0ub4dor', 'M0nkeyb4r', 'Sn0wf4ll'])}&${c.text(digit, 1)}${c.text(lower, 3)}`,
  },
  // Forms that an attack found stored raw.
  slackBrowser: {
    rule: 'slack-token',
    bare: true,
    leak: true,
    make: (c) => `xoxc-${c.text(digit, 12)}-${c.text(digit, 12)}-${c.text(digit, 13)}-${c.text(hex, 64)}`,
  },
  slackCookie: {
    rule: 'slack-token',
    bare: true,
    leak: true,
    make: (c) => `xoxd-${c.text(base62, 40)}%2B${c.text(base62, 50)}%2F${c.text(base62, 60)}%3D%3D`,
  },
  googleRefresh: {
    rule: 'gcp-oauth-token',
    bare: true,
    leak: true,
    make: (c) => `1//0${c.one(['3', '4', 'g', 'e'])}${c.text(urlSafe, 98)}`,
  },
  nvidia: { rule: 'nvidia-key', bare: true, leak: true, make: (c) => `nvapi-${c.text(urlSafe, 64)}` },
  pinecone: {
    rule: 'pinecone-key',
    bare: true,
    leak: true,
    make: (c) => `pcsk_${c.text(base62, 5)}_${c.text(base62, 63)}`,
  },
  tavily: {
    rule: 'tavily-key',
    bare: true,
    leak: true,
    make: (c) => `tvly-${c.one(['', 'dev-', 'prod-'])}${c.text(base62, 32)}`,
  },
  langsmith: {
    rule: 'langsmith-key',
    bare: true,
    leak: true,
    make: (c) => `lsv2_${c.one(['pt', 'sk'])}_${c.text(hex, 32)}_${c.text(hex, 10)}`,
  },
  resend: { rule: 'resend-key', bare: true, leak: true, make: (c) => `re_${c.text(base62, 8)}_${c.text(base62, 24)}` },
  posthog: { rule: 'posthog-key', bare: true, leak: true, make: (c) => `phx_${c.text(base62, 43)}` },
  neon: { rule: 'neon-key', bare: true, leak: true, make: (c) => `napi_${c.text(lower + digit, 64)}` },
  netlify: { rule: 'netlify-token', bare: true, leak: true, make: (c) => `nfp_${c.text(base62, 36)}` },
  render: { rule: 'render-key', bare: true, leak: true, make: (c) => `rnd_${c.text(base62, 28)}` },
  contentful: { rule: 'contentful-token', bare: true, leak: true, make: (c) => `CFPAT-${c.text(urlSafe, 43)}` },
  mapbox: {
    rule: 'mapbox-token',
    bare: true,
    leak: true,
    make: (c) => `sk.${encode({ u: c.text(lower, 8), a: c.text(lower + digit, 25) })}.${c.text(urlSafe, 22)}`,
  },
  facebook: { rule: 'facebook-token', bare: true, leak: true, make: (c) => `EAA${c.text(base62, 160)}ZDZD` },
  twitter: {
    rule: 'twitter-token',
    bare: true,
    leak: true,
    make: (c) => `${'A'.repeat(22)}${c.text(base62, 14)}%2F${c.text(base62, 18)}%3D${c.text(base62, 50)}`,
  },
  dropbox: { rule: 'dropbox-token', bare: true, leak: true, make: (c) => `sl.${c.text(urlSafe, 135)}` },
  airtable: {
    rule: 'airtable-token',
    bare: true,
    leak: true,
    make: (c) => `pat${c.text(base62, 14)}.${c.text(hex, 64)}`,
  },
  typeform: {
    rule: 'typeform-token',
    bare: true,
    leak: true,
    make: (c) => `tfp_${c.text(base62, 40)}_${c.text(base62, 15)}`,
  },
  jfrog: { rule: 'jfrog-token', bare: true, leak: true, make: (c) => `AKCp${c.text(base62, 69)}` },
  jfrogReference: { rule: 'jfrog-token', bare: true, leak: true, make: (c) => `cmVmdGtu${c.text(base62, 56)}` },
  totp: { rule: 'totp-secret', make: (c) => c.text(base32, 32) },
  pemBase64: { rule: 'private-key', make: pemBase64 },
  dockerAuth: {
    rule: 'authorization',
    make: (c) => Buffer.from(`acme-${c.text(lower, 6)}:${c.text(base62, 14)}`).toString('base64'),
  },
  shadow: { rule: 'password-hash', make: (c) => `$6$${c.text(base62, 16)}$${c.text(base62, 86)}` },
  devopsPat: { rule: 'azure-devops-token', make: (c) => c.text(`${lower}234567`, 52) },
  ethKey: { rule: 'assigned-secret', make: (c) => `0x${c.text(hex, 64)}` },
  card: { rule: 'card-number', make: cardOf },
  cardSpaced: { rule: 'card-number', make: (c) => cardOf(c).replace(/\d{4}(?=\d)/g, '$& ') },
  telegramRow: { rule: 'telegram-token', make: (c) => `8123456789:AAH${c.text(base62, 32)}` },
};
