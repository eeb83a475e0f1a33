// Judges whether a word in a sentence looks like a password, by its characters alone and so in any language. A strong one has
// a mixture that no word has; a fair one (`hunter2secret`, `Zebra-Lamp-42`) needs an introducing sentence.
import { countSwitches, isPlaceholder, isRandom, isReference, isWordy } from './words.ts';

export type Strength = 'none' | 'fair' | 'strong';

/** Names of algorithms, formats and products with digits, which texts about passwords and tokens mention. */
const technical =
  /^(?:base\d\d|sha-?\d|md[45](?:$|[^a-z])|md5sum|hmac|hkdf|aes-?\d|rsa-?\d|ecdsa|argon2|s?b?crypt\d*$|pbkdf|pkcs|utf-?\d|iso-?\d|rfc-?\d|oauth|oidc|saml|http|tls|ssl|x(?:25519|509|86|64)|ed(?:25519|448)|i18n|l10n|k8s|e2e|ipv[46]|es20\d\d|gpt|llama|claude|neo4j|log4j|win(?:32|64|dows)|h26\d|mp[34]|min\d|max\d|v\d+(?:\.|$)|auth0|1password|keycloak|mysql|postgres|redis|mongo|python|node|java|php|ruby|ubuntu|macos|ios\d|version\d)/i;

/** Addresses, paths, versions, dates, amounts, host and file names, names in programs. */
const named =
  /^(?:[\w.+-]+@[\w-]+(?:\.[\w-]+)*|@?[\w/-]+@[~^v]?\d[\w.-]*|(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:[/?#].*)?|[\w.~-]*(?:\/[\w.@-]*)+|v?\d+(?:[.:]\d+)+\S*|\d{4}-\d\d\S*|[$€£~<>≤≥#]?[\d.,]+(?:-?[A-Za-z%]{0,6})?|[a-z\d]+(?:[_.:/-][a-z\d]+)+|[A-Z][A-Z\d]*(?:[_-][A-Z\d]+)*|\w+=\w*|[A-Za-z]{1,3}[+#]{1,2}\d*|#\S*|.*[a-z]\(.*|[A-Za-z]*['’][a-z]{1,2})$/;

const longest = 128;
const shortest = 8;

/** `hunter2`, `letmein99`: a word and a number, accepted only directly after "is" or a colon. */
export function isWordWithNumber(value: string): boolean {
  if (!/^(?=.{7,24}$)[A-Za-z]{5,}\d{1,4}$/.test(value)) return false;
  return !named.test(value) && !technical.test(value) && !isPlaceholder(value) && !numbered.test(value);
}

/** Words that prose numbers: `server12`, `chapter3`, `option2`. */
const numbered =
  /^(?:account|argument|array|attempt|backend|branch|build|bucket|button|case|chapter|class|client|cluster|column|commit|config|container|device|document|error|example|factor|field|figure|file|form|gate|group|host|image|index|instance|item|layer|level|line|method|model|module|node|object|offset|option|order|output|package|page|param|parameter|part|password|phase|pipeline|player|plugin|point|port|process|profile|project|question|record|region|release|request|result|room|round|route|sample|section|segment|sensor|server|service|session|shard|sprint|stage|step|stream|string|table|target|task|team|template|thread|ticket|track|unit|user|variant|vector|version|video|volume|window|worker|zone)s?\d/i;

export function rateValue(value: string): Strength {
  if (value.length < shortest || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return 'none';
  const random = isRandom(value, 12);
  if (value.length > longest && !random) return 'none';
  if (!random && (named.test(value) || technical.test(value))) return 'none';
  if ((/[<>{}()[\]|\\"`]/.test(value) && !isDense(value)) || /:\/\/|\\u[\da-f]{4}/i.test(value)) return 'none';
  if (isReference(value) || isPlaceholder(value)) return 'none';
  if (random || isMixed(value)) return 'strong';
  return fair.some((form) => form.test(value)) ? 'fair' : 'none';
}

/** Alternating small letters, capitals and digits; or letters and digits with a symbol. */
function isMixed(value: string): boolean {
  if (!/\d/.test(value) || isWordy(value)) return false;
  if (/[a-z]/.test(value) && /[A-Z]/.test(value) && /^[A-Za-z\d]+$/.test(value)) return countSwitches(value) >= 4;
  return /[A-Za-z\d][!@#$%^&*+~?=]+[A-Za-z\d]/.test(value) && countSwitches(value) >= 5;
}

/** With brackets or quotes, but not as in programs: from a password generator. */
function isDense(value: string): boolean {
  if (value.length < 10 || /[A-Za-z]{2}[([]|[\])]\[|\$\{|=>|\\[nrt"']|<\/?[a-z]/.test(value)) return false;
  return isMixed(value.replace(/[<>{}()[\]|\\"`]/g, '#')) && countSwitches(value) >= value.length / 2;
}

const fair = [
  /^[A-Za-z]{3,}\d{1,4}[A-Za-z]{3,}\d{0,4}[!?]*$/,
  /^(?=.*[A-Z])(?=.*[a-z])(?=.*\d)[A-Za-z]{3,}(?:[-_]+[A-Za-z]{3,})+[-_]*\d{1,4}[!?]*$/,
  /^(?=.*[A-Za-z]{3})(?=.*\d)[A-Za-z\d]+[!@#$%^&*+~?]+[A-Za-z\d!@#$%^&*+~?]*$/,
  /^[A-Za-z]{4,}\d{3,}[!?]*$/,
];

/** Words of sentences, which a passphrase does not contain. */
const sentence =
  /(?:^|[ -])(?:a|an|and|any|are|as|asked|at|be|been|but|by|can|default|enter|field|first|for|from|get|has|have|here|if|in|into|invalid|is|it|its|least|less|like|missing|more|must|my|name|new|no|not|of|on|only|or|our|page|password|passphrase|read|required|same|secret|see|set|shall|should|so|string|than|that|the|their|then|there|this|to|token|type|until|use|used|user|value|was|when|which|who|will|with|wrong|you|your)(?:$|[ -])/i;

/** Three or more words that are not a sentence: `copper violet marble timber`. */
export function isPassphrase(value: string): boolean {
  return /^[A-Za-z]{3,12}(?:[ -][A-Za-z]{3,12}){2,7}\d{0,4}$/.test(value) && !sentence.test(value);
}
