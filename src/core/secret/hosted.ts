// Tokens of hosted services, known by their own prefix. Formats from the vendors' public documents.
import { defineToken, isLively } from './rule.ts';
import { isRandom } from './words.ts';

export const listHostedRules = () => [
  defineToken('nvidia-key', 'NVIDIA API key', ['nvapi-'], /nvapi-[\w-]{60,80}/dy),
  defineToken('pinecone-key', 'Pinecone key', ['pcsk_'], /pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{50,70}(?!\w)/dy),
  defineToken('tavily-key', 'Tavily key', ['tvly-'], /tvly-(?:dev-|prod-)?[A-Za-z0-9-]{28,48}/dy),
  defineToken('langsmith-key', 'LangSmith key', ['lsv2_'], /lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}(?!\w)/dy),
  defineToken('resend-key', 'Resend key', ['re_'], /re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?!\w)/dy, {
    check: (secret) => isRandom(secret, 30),
  }),
  defineToken('posthog-key', 'PostHog personal key', ['phx_', 'phs_'], /ph[xs]_[A-Za-z0-9]{40,50}(?!\w)/dy),
  defineToken('neon-key', 'Neon key', ['napi_'], /napi_[a-z0-9]{60,70}(?!\w)/dy),
  defineToken('netlify-token', 'Netlify token', ['nfp_', 'nfc_', 'nfo_'], /nf[cop]_[A-Za-z0-9]{36,40}(?!\w)/dy),
  defineToken('render-key', 'Render key', ['rnd_'], /rnd_[A-Za-z0-9]{26,36}(?!\w)/dy, {
    check: (secret) => isRandom(secret, 30),
  }),
  defineToken('contentful-token', 'Contentful token', ['CFPAT-'], /CFPAT-[\w-]{43}(?![\w-])/dy),
  defineToken('mapbox-token', 'Mapbox secret token', ['sk.eyJ'], /sk\.eyJ[\w-]{40,200}\.[\w-]{20,24}(?![\w-])/dy),
  defineToken('facebook-token', 'Facebook access token', ['EAA'], /EAA[A-Za-z0-9]{100,400}(?!\w)/dy, {
    check: (secret) => isLively(secret) && isRandom(secret, 100),
  }),
  defineToken(
    'twitter-token',
    'Twitter bearer token',
    ['AAAAAAAAAAAAAAAAAAAAA'],
    /A{20,24}(?=[A-Za-z0-9]{0,60}%)[A-Za-z0-9%]{60,120}(?![\w%+/])/dy,
    { run: /[^A-Za-z0-9%]/g },
  ),
  defineToken('dropbox-token', 'Dropbox token', ['sl.'], /sl\.(?:u\.)?[\w-]{120,192}/dy, { stop: /[^\w-]/g }),
  // Most words with this prefix are not tokens: the length is checked first.
  defineToken('airtable-token', 'Airtable token', ['pat'], /pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?!\w)/dy),
  defineToken('typeform-token', 'Typeform token', ['tfp_'], /tfp_[\w-]{40,70}/dy),
  defineToken(
    'jfrog-token',
    'JFrog key or reference token',
    ['AKCp', 'cmVmdGtu'],
    /AKCp[A-Za-z0-9]{60,90}(?!\w)|cmVmdGtu[\w-]{50,80}={0,2}/dy,
  ),
];
