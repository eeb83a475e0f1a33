// Secrets of cloud and data platforms. Formats from the vendors' public documents and the public rule sets of gitleaks,
// detect-secrets and secretlint, as facts.
import { defineRule, defineToken, isLively, isMadeUp } from './rule.ts';
import { isRandom } from './words.ts';

/** The text between a vendor's name and a value that is a secret only because of it. */
const toValue = /[\w.-]{0,32}(?![\w.-])["'\])\\]{0,3}[ \t]{0,3}(?:=>|:=|[:=,(])?[ \t]{0,3}["'`\\]{0,3}/.source;

function near(names: string, value: string): RegExp {
  return new RegExp(`(?:${names})${toValue}(${value})(?![\\w-])`, 'diy');
}

export const listCloudRules = () => [
  defineToken(
    'aws-access-key',
    'AWS access key id',
    ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    /A(?:KI|SI|BI|CC)A[A-Z2-7]{16}(?![A-Za-z0-9])/dy,
    // Amazon's documentation uses ids that end in EXAMPLE; they are harmless.
    { inside: true, check: (secret) => !secret.endsWith('EXAMPLE') && isLively(secret) },
  ),
  defineRule({
    id: 'aws-secret-key',
    description: 'AWS secret access key behind its name',
    keywords: ['secret'],
    anyCase: true,
    inside: true,
    pattern:
      /secret[_-]?(?:access[_-]?)?key["'\]\\]{0,3}(?:[ \t]{0,3}(?:=>|:=|[:=,])[ \t]{0,3}|[ \t]{1,3}|\s{1,20}value:[ ]{1,4})["'`\\]{0,3}([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/diy,
    check: (secret) => !/EXAMPLE/.test(secret) && isLively(secret) && /\d/.test(secret) && /[A-Z]/.test(secret),
  }),
  defineToken(
    'aws-session-token',
    'AWS session token',
    ['IQoJb3JpZ2lu', 'FwoGZXIvYXdz', 'FQoGZXIvYXdz', 'FQoDYXdz'],
    /(?:[FI]Qo|FwoG)[A-Za-z0-9+/]{80,192}={0,2}/dy,
    { stop: /[^=A-Za-z0-9+/]/g },
  ),
  defineToken('aws-bedrock-key', 'Amazon Bedrock key', ['ABSK'], /ABSK[A-Za-z0-9+/]{100,280}={0,2}/dy),
  defineToken('gcp-api-key', 'Google API key', ['AIza'], /AIza[\w-]{35}(?![\w-])/dy),
  defineToken('gcp-oauth-secret', 'Google OAuth client secret', ['GOCSPX-'], /GOCSPX-[\w-]{28}(?![\w-])/dy),
  defineToken('gcp-oauth-token', 'Google OAuth access token', ['ya29.'], /ya29\.[\w-]{30,192}/dy, { stop: /[^\w-]/g }),
  defineToken('gcp-oauth-token', 'Google OAuth refresh token', ['1//0'], /1\/\/0[\w-]{40,192}/dy),
  defineRule({
    id: 'azure-key',
    description: 'Azure storage, service bus, IoT or Cosmos DB key in a connection string',
    keywords: ['accountkey', 'sharedaccesskey', 'accesskey'],
    anyCase: true,
    pattern: /(?:account|sharedaccess|access)key=([A-Za-z0-9+/]{40,88}={0,2})(?![A-Za-z0-9+/=])/diy,
    check: isLively,
  }),
  defineRule({
    id: 'azure-sas',
    description: 'Signature of an Azure shared access address or another signed address',
    keywords: ['sig='],
    pattern: /(?<=[?&;"'\s])sig=([\w%+/.~-]{32,160}={0,2})/dy,
    check: (secret) => isRandom(secret, 32),
  }),
  defineRule({
    id: 'signed-address',
    description: 'Signature of an address that Amazon or Google signed',
    keywords: ['x-amz-signature=', 'x-goog-signature='],
    anyCase: true,
    pattern: /x-(?:amz|goog)-signature=([0-9a-f]{64,1024})/diy,
    check: isLively,
  }),
  defineRule({
    id: 'azure-client-secret',
    description: 'Client secret of Entra ID (Azure AD)',
    keywords: [...'0123456789'].map((digit) => `${digit}Q~`),
    inside: true,
    fromGroup: true,
    pattern: /(?<=(?<![\w~.-])([\w~.]{3}))\dQ~[\w~.-]{30,34}[\w~-](?![\w~-])/dy,
    check: isLively,
  }),
  defineRule({
    id: 'heroku-key',
    description: 'Heroku API key, a UUID near its name',
    keywords: ['heroku'],
    anyCase: true,
    inside: true,
    pattern: near(
      'heroku[_-]?(?:api|auth|oauth)?[_-]?(?:key|token|secret)',
      '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
    ),
    check: (secret) => !isMadeUp(secret),
  }),
  defineToken('heroku-key', 'Heroku API key', ['HRKU-'], /HRKU-[\w-]{36,70}/dy),
  defineToken(
    'cloudflare-token',
    'Cloudflare token',
    ['cfk_', 'cfut_', 'cfat_'],
    /cf(?:k|ut|at)_[A-Za-z0-9]{40}[0-9a-f]{8}(?!\w)/dy,
  ),
  defineToken('cloudflare-token', 'Cloudflare origin CA key', ['v1.0-'], /v1\.0-[0-9a-f]{24}-[0-9a-f]{146}(?!\w)/dy),
  defineRule({
    id: 'cloudflare-token',
    description: 'Cloudflare API token or global key near its name',
    keywords: ['cloudflare', 'cf_api', 'cf_token', 'x-auth-key'],
    anyCase: true,
    pattern: near(
      'cloudflare[_-]?(?:api|auth|global)[_-]?(?:key|token)?|cf_(?:api_)?(?:key|token)|x-auth-key',
      '[\\w-]{40}|[0-9a-f]{37}',
    ),
    check: (secret) => isRandom(secret, 37),
  }),
  defineRule({
    id: 'datadog-key',
    description: 'Datadog API or application key near its name',
    keywords: ['dd_a', 'dd-a', 'datadog'],
    anyCase: true,
    pattern: near(
      'dd[_-](?:api|app|application)[_-]key|datadog[_-]?(?:api|app|application)[_-]?key',
      '[0-9a-f]{40}|[0-9a-f]{32}',
    ),
    check: isLively,
  }),
  defineToken(
    'digitalocean-token',
    'DigitalOcean token',
    ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    /do[opr]_v1_[0-9a-f]{64}(?!\w)/dy,
  ),
  defineToken(
    'databricks-token',
    'Databricks token',
    ['dapi', 'dose'],
    /d(?:api|ose)(?:[0-9a-f]{32}|[0-9A-F]{32})(?:-\d)?(?!\w)/dy,
  ),
  defineToken(
    'supabase-key',
    'Supabase access token or secret key',
    ['sbp_', 'sb_secret_'],
    /sbp_(?:v0_)?[0-9a-f]{40}(?!\w)|sb_secret_[\w-]{20,64}/dy,
  ),
  defineToken(
    'planetscale-token',
    'PlanetScale token or password',
    ['pscale_'],
    /pscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}/dy,
  ),
  defineToken('vault-token', 'HashiCorp Vault token', ['hvs.', 'hvb.', 'hvr.'], /hv[bsr]\.[\w-]{24,300}/dy),
  defineRule({
    id: 'vault-token',
    description: 'HashiCorp Vault token of the old form near its name',
    keywords: ['vault'],
    anyCase: true,
    inside: true,
    pattern: near('vault(?:[_-]?token|[ ]login)', '[sbr]\\.[A-Za-z0-9]{24}'),
    check: isLively,
  }),
  defineRule({
    id: 'terraform-token',
    description: 'HCP Terraform token',
    keywords: ['.atlasv1.'],
    inside: true,
    fromGroup: true,
    pattern: /(?<=(?<![A-Za-z0-9])([A-Za-z0-9]{14}))\.atlasv1\.[\w=-]{60,70}/dy,
    check: isLively,
  }),
  defineToken(
    'doppler-token',
    'Doppler token',
    ['dp.'],
    /dp\.(?:pt|ct|sa|scim|audit|st(?:\.[\w-]{2,35})?)\.[A-Za-z0-9]{40,44}(?!\w)/dy,
  ),
  defineToken('pulumi-token', 'Pulumi token', ['pul-'], /pul-[0-9a-f]{40}(?!\w)/dy),
  defineToken(
    'grafana-token',
    'Grafana token',
    ['glsa_', 'glc_'],
    /glsa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}(?!\w)|glc_[A-Za-z0-9+/]{32,400}={0,2}/dy,
  ),
  defineToken(
    'flyio-token',
    'Fly.io token',
    ['fo1_', 'fm1', 'fm2_'],
    /fo1_[\w-]{43}(?![\w-])|fm(?:1[ar]|2)_[A-Za-z0-9+/]{100,192}={0,2}/dy,
    { stop: /[^=A-Za-z0-9+/]/g },
  ),
  defineToken(
    'vercel-token',
    'Vercel token',
    ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'],
    /vc[piark]_[A-Za-z0-9]{24,60}(?!\w)/dy,
  ),
  defineToken(
    'tailscale-key',
    'Tailscale key',
    ['tskey-'],
    /tskey-[a-z]{2,20}-[A-Za-z0-9_]{8,40}-[A-Za-z0-9_]{16,60}/dy,
  ),
];
