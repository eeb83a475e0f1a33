// Words that tell a statement from a fragment: verbs by their forms, and words that carry no content of their own.

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

const bases = words(`
  accept add aggregate allow answer apply approve archive ask attach authenticate authorize avoid back base batch begin
  belong block break bring buffer bump bundle call cap capture carry cause change check choke clean clear clone close
  collect come commit compare compile complain compress configure conflict connect consist contain control convert copy
  cost crash create cut deal debug decide declare default define delay delete deliver depend deploy deprecate derive
  describe detect disable discard document download drain drop dump emit enable encode encrypt end enforce ensure enter
  escape evaluate evict exceed exclude execute exist exit expect expire explain export expose extend fail fall fetch
  finish fire fix flag flush follow force format forward free freeze generate get give go grant group grow guarantee
  guard handle hang happen have hide hit hold host ignore implement import include increase index inherit initialize
  inject insert install integrate invalidate invoke issue join keep kill know lack last launch lead leak leave let limit
  link lint listen live load lock log look lose maintain make manage map mark match matter mean measure merge migrate
  mind miss mock monitor mount move name need normalize note notify number offer omit open operate optimize order
  override overwrite own page parse pass patch pause pay persist pick pin ping point poll populate prefer prevent print
  process produce proxy publish pull purge push put query queue quit raise read rebuild receive recommend record redirect
  reduce refer reference reflect refresh refuse register reject release rely reload remain remember remove rename render
  repeat replace replicate report request require reset resolve respond restart restore restrict retain retry return
  reuse review revert rewrite rotate route run save say scale scan schedule scope seal search see seed select send
  separate serialize serve set share ship show shut sign silence sit skip sleep slow sort spawn speak specify spend split
  squash stall stand start stay stem step stick stop store stream strip subscribe succeed suggest supersede supply support
  suspend swallow switch sync tag take talk target tell tend test throttle throw time tolerate touch track translate
  treat trigger truncate trust try tune turn update upgrade upload use validate vary verify version wait wake want warn
  watch weigh wire work wrap write yield adopt love hate like enjoy visit buy travel learn teach play study plan meet
  attend join volunteer celebrate cook bake paint train win move marry graduate retire grow feel
`);
/** Verbs as an order has them. */
export const baseVerbs: ReadonlySet<string> = new Set([...bases, ...words('alter inject paste drag specify provide')]);
const irregular = words(`
  was were been began begun broke broken brought built bought caught chose chosen came cost cut did done dealt drew drove
  ate fell fed felt fought found flew forgot froze gave given went gone got grew hid held hit hung kept knew known laid
  led left lent lost made meant met paid put quit ran read rewrote rewritten rose said saw seen sent set shook shown shut
  slept spoke spent split spun stood stuck stole struck swore swept took taken taught told thought threw thrown
  understood upset woke wore won wrote written overrode reran rebuilt thinks had hurt became born
`);
const auxiliaries: ReadonlySet<string> = new Set(
  words(`
  is are am was were be been being has have had do does did can could will would shall should may might must cannot isn't
  aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't can't couldn't won't wouldn't shouldn't mustn't
  i'm i've i'd i'll we're we've we'd we'll you're you've it's that's there's he's she's they're they've what's who's ain't
`),
);

function inflect(base: string): string[] {
  const stem = base.endsWith('e') ? base.slice(0, -1) : base;
  const soft = base.replace(/y$/, 'i');
  const last = base.at(-1) ?? '';
  return [base, `${base}s`, `${base}es`, `${soft}es`, `${stem}ed`, `${soft}ed`, `${base}${last}ed`];
}

export const verbForms: ReadonlySet<string> = new Set([...bases.flatMap(inflect), ...irregular, ...auxiliaries]);

/** Verb forms that are as often nouns, so that one of them alone makes no sentence. */
const nounish: ReadonlySet<string> = new Set(
  words(`
  access address backup batch block build buffer cache call case change check class clone code commit copy cost crash
  cut default delay deploy document download dump end export file fix flag force format group guard host import index
  input install issue join key limit link list load lock log look map mark match mock mount move name need note number
  order output override own page pass patch pause pin ping plan play point port process proxy push query queue read record
  reference release report request reset result return returns review route run save scale scan schedule scope script
  search seed select set share ship show sign sort split start state step stop store stream support switch sync tag target
  test tests time touch track trigger trust try turn type update upgrade upload use value version view wait watch work
  wrap write builds checks calls commits logs requests results files flags routes steps stores tags types updates
  uses versions values docs exports imports issues limits links lists loads locks maps marks matches names needs notes
  numbers orders pages paths patches points ports processes queries queues records references releases reports scripts
  searches seeds sets shares signs states streams targets tracks triggers views answer answers group groups plans lead
  love like train visit study base back free last slow clean clear open close separate complete index register page mind
`),
);

/** Words without content of their own: grammar, praise, filler. */
const hollow: ReadonlySet<string> = new Set(
  words(`
  a an the this that these those it its it's that's he she they them him her his their our your my we you i me us mine
  and or but so as at by for from in into of off on onto out over to up with without about after before then than too very
  is are am was were be been being has have had do does did can could will would should may might must not no yes
  i'm i've i'd i'll we're we've you're they're there's there here what which who whom whose when where why how if because
  now just also still even only really quite actually basically well ok okay right sure great good nice fine cool perfect
  awesome wonderful helpful excellent bad better best interesting correct wrong true done ready all everything something
  anything nothing thing things stuff lot bit way kind sort works worked work working see mean meant know get got go going
  sounds looks feels seems one ones more most much many some any each other another same such like both let again back
  below above follow follows following detail details point exactly clear sense fun happy glad sorry please thanks thank
  first next finally second third lastly anyway besides however though yet already soon later always maybe
`),
);

export function tokensOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_.'’/@:%#+-]*/gu) ?? []).map((token) =>
    token.replace(/’/g, "'").replace(/[.:'/,-]+$/, ''),
  );
}

/** Words that say something. */
export function contentOf(tokens: readonly string[]): string[] {
  return tokens.filter((token) => token.length > 1 && !hollow.has(token));
}

/** Behind a verb rather than behind a noun. */
const following = new Set(
  words(`the a an on in with to from at by for its our my your their all every only no not up out into through as it them
  about over after before under each this that these those`),
);

/** Whether a sentence has a verb: one that is not also a common noun, or one that stands where a verb would. */
export function hasVerb(tokens: readonly string[]): boolean {
  return tokens.some((token, i) => {
    // A participle that opens is an adjective: "required secrets".
    if (!verbForms.has(token) || (i === 0 && token.endsWith('ed'))) return false;
    if (!nounish.has(token) || /^(?:i|we|you|they|it|he|she|who|that|which)$/.test(tokens[i - 1] ?? '')) return true;
    const next = tokens[i + 1] ?? '';
    return i > 0 && !following.has(tokens[i - 1] ?? '') && (following.has(next) || /^\d/.test(next));
  });
}

/** Whether something in the text names a thing exactly: numbers, versions, paths, identifiers, names, code. */
export function isSpecific(text: string): boolean {
  return /\d|`[^`]+`|[\w-]+[/\\][\w-]+|\w\.\w{2,}|[a-z][A-Z]|[A-Z]{2,}|_|\w-\w|\S\s+\p{Lu}\p{L}+/u.test(text);
}

/** Small words of other languages of which none is English. */
const elsewhere: ReadonlySet<string> = new Set(
  words(`
  der das und ist sind nicht wir für mit eine einen auf von zu im werden wird auch haben
  el los las es una que por para con está son del nuestro se
  le les des est une du avec dans et sur nous sont pour notre
  os é não com uma são nosso em
  il gli è di che per sono nostro nella
  het een wij niet wordt zijn voor onze
  och är inte som att på ett jest nie się oraz
`),
);

/** Whether a sentence is in a language whose verbs are not known here. */
export function isForeign(text: string, tokens: readonly string[]): boolean {
  if (/[\u0400-\u052f\u0590-\u06ff\u0900-\u097f\u0e00-\u0e7f\u3040-\u9fff\uac00-\ud7af]{3}/.test(text)) return true;
  return tokens.filter((token) => elsewhere.has(token)).length >= 2;
}
