// Secrets of forges, registries, model hosts, chats, payment, mail and work tools, nearly all known by their own
// prefix. Formats from the vendors' public documents and the public rule sets of gitleaks, detect-secrets and
// secretlint, as facts.
import { isChecksummedToken } from './checks.ts';
import { defineRule, defineToken, isLively } from './rule.ts';
import { isRandom } from './words.ts';

const hex = [...'0123456789abcdef'];

/** All combinations, for prefixes too short to be keywords. */
function spell(...parts: readonly (readonly string[])[]): string[] {
  return parts.reduce<string[]>((heads, part) => heads.flatMap((head) => part.map((next) => head + next)), ['']);
}

const listForges = () => [
  defineToken(
    'github-token',
    'GitHub token: personal, OAuth, user, server or refresh',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    /gh[pousr]_(?:[A-Za-z0-9]{36,251}|\d{1,12}_eyJ[\w-]{8,200}\.[\w-]{1,700}\.[\w-]{1,400})/dy,
    { check: isChecksummedToken },
  ),
  defineToken('github-token', 'GitHub fine-grained token', ['github_pat_'], /github_pat_\w{60,244}/dy),
  defineToken(
    'gitlab-token',
    'GitLab token: personal, deploy, runner, trigger, feed, agent, CI job and so on',
    [
      'glpat-',
      'gldt-',
      'glrt-',
      'glrtr-',
      'glptt-',
      'glft-',
      'glimt-',
      'glagent-',
      'gloas-',
      'glsoat-',
      'glffct-',
      'glcbt-',
    ],
    /gl(?:pat|dt|rtr?|ptt|ft|imt|agent|oas|soat|ffct|cbt)-[\w-]{20,300}(?:\.[\w-]{2,12}\.[\w-]{7,12})?/dy,
  ),
  defineToken('gitlab-token', 'GitLab runner registration token', ['GR1348941'], /GR1348941[\w-]{20,50}/dy),
  defineToken(
    'atlassian-token',
    'Atlassian and Bitbucket token',
    ['ATATT3', 'ATCTT3', 'ATBB', 'BBDC-'],
    /AT[AC]TT3[\w-]{60,300}(?:=[0-9A-F]{8})?|ATBB[A-Za-z0-9]{24,40}(?!\w)|BBDC-[A-Za-z0-9+/@_-]{40,50}/dy,
  ),
  defineToken('npm-token', 'npm access token', ['npm_'], /npm_[A-Za-z0-9]{36}(?!\w)/dy, { check: isChecksummedToken }),
  defineToken('pypi-token', 'PyPI upload token', ['pypi-Ag'], /pypi-Ag[A-Za-z0-9_-]{60,1000}/dy),
  defineToken('rubygems-token', 'RubyGems token', ['rubygems_'], /rubygems_[0-9a-f]{48}(?!\w)/dy),
  defineToken('lorekeeper-key', 'Key of lore sync', ['lore-key-'], /lore-key-[\w-]{43}(?![\w-])/dy),
  defineToken('docker-token', 'Docker Hub token', ['dckr_'], /dckr_[po]at_[\w-]{27,32}(?![\w-])/dy),
];

const listModels = () => [
  defineToken('anthropic-key', 'Anthropic key', ['sk-ant-'], /sk-ant-[a-z]{2,8}\d{2}-[\w-]{60,140}/dy),
  defineToken(
    'openai-key',
    'OpenAI key, and the same form with other model hosts',
    ['sk-'],
    /sk-(?:(?:proj|svcacct|admin|None)-[\w-]{40,220}|or-v1-[0-9a-f]{64}|[A-Za-z0-9]{32,64}(?![\w-]))/dy,
    { check: (secret) => isLively(secret) && isRandom(secret, 32) },
  ),
  defineToken(
    'openai-key',
    'OpenAI key behind a word',
    ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-or-v1-'],
    /sk-(?:(?:proj|svcacct|admin)-[\w-]{40,220}|or-v1-[0-9a-f]{64})/dy,
    { check: (secret) => isLively(secret) && isRandom(secret, 32) },
  ),
  defineToken('huggingface-token', 'Hugging Face token', ['hf_', 'api_org_'], /(?:hf|api_org)_[A-Za-z0-9]{34}(?!\w)/dy),
  defineToken('replicate-token', 'Replicate token', ['r8_'], /r8_[A-Za-z0-9]{37}(?!\w)/dy),
  defineToken('groq-key', 'Groq key', ['gsk_'], /gsk_[A-Za-z0-9]{52}(?!\w)/dy),
  defineToken('xai-key', 'xAI key', ['xai-'], /xai-[A-Za-z0-9]{80}(?!\w)/dy),
  defineToken('perplexity-key', 'Perplexity key', ['pplx-'], /pplx-[A-Za-z0-9]{48}(?!\w)/dy),
];

const listChats = () => [
  defineToken(
    'slack-token',
    'Slack token: bot, user, app, workspace, refresh',
    ['xox', 'xapp-'],
    /xox[abceoprs](?:\.xox[bp])?-(?=[\w-]{0,255}\d)[\w-]{20,255}|xoxd-[\w%+/-]{40,255}={0,2}|xapp-\d-[A-Z0-9]{6,20}-\d{6,20}-[0-9a-z]{32,128}/dy,
  ),
  defineRule({
    id: 'slack-webhook',
    description: 'Address of a Slack webhook',
    keywords: ['hooks.slack.com/'],
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9/]{24,80})/dy,
    check: isLively,
  }),
  defineRule({
    id: 'discord-token',
    description: 'Discord bot token: a number in base64, a time, a signature',
    // The first two digits of any number in base64.
    keywords: spell(['M', 'N', 'O'], ['D', 'T', 'j', 'z'], [...'AEIMQUYcgk']),
    pattern: /[MNO][DTjz][AEIMQUYcgk][wxyz0-5][A-Za-z0-9]{18,24}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/dy,
    check: isLively,
  }),
  defineRule({
    id: 'discord-webhook',
    description: 'Address of a Discord webhook',
    keywords: ['api/webhooks/'],
    pattern: /api\/webhooks\/\d{15,22}\/([\w-]{50,100})/dy,
    check: isLively,
  }),
  defineRule({
    id: 'teams-webhook',
    description: 'Address of a Microsoft Teams webhook',
    keywords: ['webhook.office.com/'],
    pattern: /webhook\.office\.com\/webhookb2\/([\w@/-]{60,240})/dy,
    check: isLively,
  }),
  defineRule({
    id: 'telegram-token',
    description: 'Telegram bot token',
    keywords: [':AA'],
    inside: true,
    fromGroup: true,
    pattern: /(?<=(?<!\d)(\d{8,10})):AA[\w-]{32,33}(?![\w-])/dy,
    // The number before the colon is the bot's.
    check: (secret) => isLively(secret.slice(secret.indexOf(':'))),
  }),
];

const listTrades = () => [
  defineToken(
    'stripe-key',
    'Stripe secret or restricted key',
    ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'],
    /[rs]k_(?:live|test)_[A-Za-z0-9]{16,247}/dy,
  ),
  defineToken('stripe-key', 'Stripe webhook secret', ['whsec_'], /whsec_[A-Za-z0-9+/=]{24,64}/dy),
  defineToken('twilio-key', 'Twilio API key', spell(['SK'], hex), /SK[0-9a-f]{32}(?!\w)/dy),
  defineRule({
    id: 'twilio-key',
    description: 'Twilio auth token behind its account id or its name',
    keywords: [...spell(['AC'], hex), 'twilio', 'TWILIO'],
    pattern:
      /(?:AC[0-9a-f]{32}["']?[ ]?[,:][ ]?["']?|(?:twilio|TWILIO)[\w.-]{0,24}["']?[ ]{0,2}[:=][ ]{0,2}["']?)([0-9a-f]{32})(?!\w)/dy,
    check: isLively,
  }),
  defineToken('sendgrid-key', 'SendGrid key', ['SG.'], /SG\.[\w-]{16,32}\.[\w-]{32,64}/dy),
  defineToken('mailgun-key', 'Mailgun key', ['key-'], /(?<!-)key-[0-9a-f]{32}(?!\w)/dy, { inside: false }),
  defineRule({
    id: 'mailgun-key',
    description: 'Mailgun key of the newer form near its name',
    keywords: ['mailgun'],
    anyCase: true,
    inside: true,
    pattern: /mailgun[^\n]{0,48}?(?<![0-9a-f])([0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})(?!\w)/diy,
    check: isLively,
  }),
  defineToken('mailchimp-key', 'Mailchimp key', ['-us'], /(?<=(?<!\w)([0-9a-f]{32}))-us\d{1,2}(?!\w)/dy, {
    inside: true,
    fromGroup: true,
  }),
  defineToken('brevo-key', 'Brevo key', ['xkeysib-'], /xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}(?!\w)/dy),
  defineToken(
    'square-token',
    'Square token',
    ['sq0', 'EAAA'],
    /sq0(?:atp|csp|idb)-[\w-]{22,43}|(?<![+/])EAAA[\w-]{60}(?![\w+/-])/dy,
  ),
  defineToken('shopify-token', 'Shopify token', ['shp'], /shp(?:at|ca|pa|ss|tka)_[0-9a-zA-Z]{32,64}(?!\w)/dy),
];

const listTools = () => [
  defineToken('newrelic-key', 'New Relic key', ['NRAK-', 'NRII-', 'NRAA-'], /NR(?:AK|II|AA)-[\w-]{27,32}/dy),
  defineRule({
    id: 'newrelic-key',
    description: 'New Relic license key',
    keywords: ['NRAL'],
    inside: true,
    fromGroup: true,
    pattern: /(?<=(?<!\w)([0-9a-fx]{36}))NRAL(?!\w)/dy,
    check: isLively,
  }),
  defineToken(
    'sentry-token',
    'Sentry token',
    ['sntrys_', 'sntryu_', 'sntrya_', 'sntryi_'],
    /sntrys_eyJ[\w+/=-]{80,600}|sntry[uai]_[0-9a-f]{64}(?!\w)/dy,
  ),
  defineToken('linear-key', 'Linear key', ['lin_api_', 'lin_oauth_'], /lin_(?:api|oauth)_[A-Za-z0-9]{40,64}(?!\w)/dy),
  defineToken(
    'notion-token',
    'Notion token',
    ['ntn_', 'secret_'],
    /ntn_\d{11}[A-Za-z0-9]{35}(?!\w)|secret_[A-Za-z0-9]{43}(?!\w)/dy,
  ),
  defineToken(
    'sourcegraph-token',
    'Sourcegraph token',
    ['sgp_'],
    /sgp_(?:(?:[0-9a-fA-F]{16}|local)_)?[0-9a-fA-F]{40}(?!\w)/dy,
  ),
  defineToken('figma-token', 'Figma token', ['figd_', 'figo_', 'figu_'], /fig[dou]_[\w-]{36,200}/dy),
  defineToken('postman-key', 'Postman key', ['PMAK-'], /PMAK-[0-9a-f]{24}-[0-9a-f]{34}(?!\w)/dy),
  defineRule({
    id: 'pagerduty-key',
    description: 'PagerDuty key near its name',
    keywords: ['pagerduty', 'pager_duty', 'pd_api'],
    anyCase: true,
    pattern: /(?:pager_?duty|pd_api)[\w.-]{0,24}["']?[ ]{0,3}[:=][ ]{0,3}["']?([\w+-]{20}|[0-9a-f]{32})(?![\w+-])/diy,
    check: (secret) => isRandom(secret, 20),
  }),
  defineToken('1password-token', '1Password service account', ['ops_eyJ'], /ops_eyJ[\w+/=-]{192}/dy, {
    stop: /[^\w+/=-]/g,
  }),
  defineToken(
    'age-key',
    'age private key',
    ['AGE-SECRET-KEY-1', 'AGE-PLUGIN-'],
    /AGE-(?:SECRET-KEY|PLUGIN-[A-Z0-9-]{1,20})-1[A-Z0-9]{38,90}/dy,
  ),
];

export const listVendorRules = () => [
  ...listForges(),
  ...listModels(),
  ...listChats(),
  ...listTrades(),
  ...listTools(),
];
