// The cues of `extract-keep.ts` in other languages: the words for always, never and must, for preferring, having decided, and no
// longer. One row for each language and reason; "*" stands for the rest of a word, and languages without spaces need no word ends.
import type { KeepReason } from './extract-keep.ts';

type Cues = Partial<Record<KeepReason, string>>;

const spaced: readonly Cues[] = [
  {
    // German. "Immer noch" and "noch nie" are about the past.
    preference: `bevorzug*|ich mag|mag ich|mochte|mögen|gef(?:ä|a)ll(?:t|en) (?:mir|uns)|hasse|liebe|am liebsten|lieber|will nicht|will ich nicht|wollen nicht|möchten? nicht`,
    decision: `entschieden|entschied|entschlossen|beschlossen|geeinigt|festgelegt|wir bleiben bei`,
    fix: `ursache (?:war|ist)|lag daran|liegt daran|behoben|gelöst|stellte sich heraus|es hat sich herausgestellt`,
    gotcha: `achtung|vorsicht|beachte*|denke? daran|vergiss nicht`,
    correction: `nicht mehr|kein*? mehr|nicht länger|stimmt nicht|war falsch|umgestellt|gewechselt|ersetzt|umbenannt`,
    rule: `immer(?! noch| mehr| wieder)|niemals|(?<!noch )nie|muss|musst|müsst|müssen|müsse|(?:darf|darfst|dürfen|dürft)(?: \\p{L}+){0,4} (?:nicht|nie|nur|kein\\p{L}*)|nicht (?:erlaubt|gestattet)|sollt*|verboten|ab (?:jetzt|sofort)|künftig|in zukunft|grundsätzlich`,
  },
  {
    // French.
    preference: `préf(?:è|é)r*|j'aime|j'ai (?:toujours |jamais )?aimé|j'adore|(?:je )?déteste|n'aim\\p{L}+ pas|ne supporte pas|ne veu[xt] pas|veux pas`,
    decision: `décid(?:é|ée|és|ons|ai|a)|choisi|opté|convenu`,
    fix: `la cause (?:était|est)|(?:était|est) dû à|venait d[eu]|corrigé en|résolu|s'est avéré|il s'avère`,
    gotcha: `attention|prudence|notez|rappelle(?:z-vous|-toi)|n'oublie[zs]? pas`,
    correction: `n(?:e |')\\p{L}+(?: \\p{L}+)? plus|au lieu d[e']|c'est faux|était faux|remplacée?s?|renommée?s?|migrée?s?`,
    rule: `toujours|jamais|faut|faudrait|doit|dois|devez|devons|doivent|devr(?:ait|aient|iez|ais)|interdit*|obligatoire*|désormais|dorénavant`,
  },
  {
    // Spanish.
    preference: `prefier*|(?:me|le|nos) (?:gusta|encanta)*|odi[oa]|detest[oa]|no (?:quier[oe]|soporto|aguanto|puedo soportar)`,
    decision: `decid(?:í|imos|ido|ió|ieron)|optamos|elegimos|elegido|acordamos|acordado`,
    fix: `la causa (?:era|fue|es)|se deb(?:ía|e) a|resultó que|solucion(?:ó|amos|ado)|se arregl\\p{L}+`,
    gotcha: `cuidado|atención|ojo|recuerda|ten en cuenta|no olvides`,
    correction: `ya no|en lugar de|en vez de|ha cambiado|cambiamos|migramos|reemplaz*|era falso|está mal|no \\p{L}+(?: \\p{L}+)? más`,
    rule: `(?<!como )siempre|nunca|jamás|deb(?:e|es|en|emos|ería|erías|erían|eríamos)|hay que|(?:tien(?:e|es|en)|tenemos|tengo) que|prohibid*|obligatori*|a partir de ahora|no se (?:permite|puede)`,
  },
  {
    // Portuguese.
    preference: `prefir*|prefer(?:es?|em|i*|ênc*)|gost[oa]m?(?: de)?|gostamos|adoro|odei[oa]|detesto|não (?:quero|quer|suporto|aguento)|amo`,
    decision: `decid(?:i|imos|ido|iu|iram)|optamos|escolhemos|escolhido|combinamos`,
    fix: `a causa (?:era|foi|é)|devia-se|resolvid[oa]s?|resolvemos|acontece que|corrigid*`,
    gotcha: `cuidado|atenção|lembre*|note que|não se esqueça`,
    correction: `não \\p{L}+(?: \\p{L}+)? mais|já não|em vez de|ao invés de|mudamos|migramos|substituíd*`,
    rule: `sempre|nunca|jamais|dev(?:e|em|emos|o|eria|eriam)|é preciso|(?:tem|têm|temos|tenho) (?:que|de)|precisa[ms]?|proibid*|obrigatóri*|a partir de agora`,
  },
  {
    // Russian.
    preference: `предпочита*|(?:не )?(?:люблю|любит|любил[аи]?|нравится|нравятся|нравил*)|ненави*|не хо(?:чу|чет|тим)|терпеть не`,
    decision: `реши(?:л|ла|ли)|решено|выбра(?:л|ла|ли)|договорились`,
    fix: `причина (?:была|в том)|причиной|оказал(?:ось|ся|ась)|исправ(?:лен|ил)*|из-за того`,
    gotcha: `осторожно|внимание|помни*|имей(?:те)? в виду|учти(?:те)?|не забуд*`,
    correction: `больше не|уже не|вместо|замен(?:ил|ён|ен)*|перешли на|переименова*|неправда|неверно`,
    rule: `всегда|никогда|долж(?:ен|на|но|ны)|обязательно|обязан*|нельзя|запрещ*|следует|необходимо|надо|нужно|отныне|впредь|не \\p{L}+(?:йте|ите|йся|айся)`,
  },
  {
    // Arabic.
    preference: `أفضّل|أفضل أن|أحب|أحبّ|يحب|تحب|أكره|لا (?:أريد|يريد|تريد|أحب)|يعجبني|تعجبني`,
    decision: `قرر(?:ت|نا|وا)?|اخترنا|اخترت|اتفقنا`,
    fix: `كان السبب|السبب هو|تبين|اتضح|تم (?:حل|إصلاح)\\p{L}*`,
    gotcha: `انتبه|احذر|تذك[ّ]?ر|لاحظ|لا تنس`,
    correction: `لم (?:يعد|أعد|تعد|نعد)|بعد الآن|بدلا من|بدلًا من|بدلاً من|انتقلنا|استبدل*`,
    rule: `دائمًا|دائما|دائماً|دوما|أبدًا|أبدا|أبداً|يجب|عليك أن|علينا أن|عليّ أن|علي أن|عليه أن|ممنوع|لا يجوز|لا يسمح|ينبغي|لا بد|من الآن فصاعدا`,
  },
  {
    // Hindi.
    preference: `पसंद|पसन्द|प्यार कर*|नफ़रत|नफरत|नहीं चाहत[ािी]`,
    decision: `फ़ैसला|फैसला|निर्णय|तय किया|चुना`,
    fix: `कारण था|वजह थी|ठीक (?:किया|हुआ)|पता चला`,
    gotcha: `सावधान*|ध्यान (?:दें|रखें|दो|रखो)|याद रख*|सतर्क`,
    correction: `अब नहीं|अब और नहीं|के बजाय|की जगह|के बदले|बदल दिया`,
    rule: `हमेशा|सदा|कभी (?:भी )?(?:\\p{L}[\\p{L}\\p{M}]* ){0,4}(?:नहीं|न)|कभी भी|च(?:ा)?हिए|चाहिये|ज़रूर|जरूर|अवश्य|पड़(?:ेगा|ता|ती|ेगी|ा)|मना है|मत|अनिवार्य`,
  },
  {
    // Italian, Dutch, Polish and Turkish, the plainest only.
    preference: `preferisco|ik heb liever|wolę|tercih ederim`,
    decision: `abbiamo (?:deciso|scelto)|hebben (?:besloten|gekozen|voor .{2,30} gekozen)|zdecydowaliśmy|wybraliśmy|seçtik|karar verdik`,
    rule: `vietato|altijd|nooit|zawsze|nigdy|her zaman|asla`,
  },
];

const unspaced: readonly Cues[] = [
  {
    // Chinese, in both spellings.
    preference: `(?:喜|偏)[欢歡好爱愛]|讨厌|討厭|我(?:们|們)?(?:也|就|还|還)?不想|宁愿|寧願|不能忍受|更愿意|更願意`,
    decision: `[决決]定|(?:我们|我們)(?:选择|選擇)|(?:选择|選擇)了`,
    fix: `原因是|问题在于|問題在於|解[决決]了|修[复復]了|原[来來]是`,
    gotcha: `^(?:注意|小心|当心|當心|[请請]?[记記]住)`,
    correction: `不再|改[为為用成]|替[换換]|已[经經]不|换成|換成`,
    rule: `[总總]是|始[终終]|必[须須]|一律|不要|不得|永[远遠]|[从從](?:来|來)?不|[务務]必|一定要|[应應][该該]|禁止|不准|不能|不[许許]|都要|一直|^[别別]`,
  },
  {
    // Japanese.
    preference: `が(?:大)?好き|好き(?:だ|です|では|に|じゃ|な)|好[むみん]|嫌い|気に入|たくない|たくあり|の方がいい`,
    decision: `に決め|ことにし|を?選びました|を選んだ|採用し`,
    fix: `原因は|が原因|解決し|直りました|を修正し`,
    gotcha: `^(?:注意|気をつけ)|気をつけ(?:て|ろ)|覚えておいて`,
    correction: `もう.{1,20}ない|なくなっ|ではなく|の代わり|に変更し|に切り替え|に移行し`,
    rule: `必ず|絶対に?|禁止|しないこと|て(?:は|も)いけ|てはなら|いつも|常に|決して|べき|なければ|なくては|なきゃ|ないで(?:くだ|。|！|$)|必要があ|するな`,
  },
  {
    // Korean.
    preference: `좋아|선호|싫|마음에 들|고 싶지 않`,
    decision: `기로 (?:했|결정)|(?:결정|선택)(?:했|하였)`,
    fix: `원인은|때문이었|(?:해결|수정)(?:했|됐|되었)|고쳤`,
    gotcha: `^(?:주의|조심)|조심하|기억하세|명심하|잊지 마`,
    correction: `더 ?이상|대신(?:에)? |바뀌었|변경(?:했|됐|되었)|이제는`,
    rule: `항상|(?:^| )늘 |언제나|절대|반드시|결코|안 (?:됩|된|돼)|면 안|[야]만? (?:한|합|해|할|하)|[해와어아여]야 ?[한합해할하]|지 ?마|금지|(?:^| )꼭 |수 없습니다|허락되지`,
  },
];

/** Parts of identifiers are not words. */
const [start, end] = ['(?<![\\p{L}\\p{M}_])', '(?![\\p{L}\\p{M}_])'];
const order: readonly KeepReason[] = ['preference', 'decision', 'fix', 'gotcha', 'correction', 'rule'];
let patterns: readonly (readonly [KeepReason, RegExp])[] | undefined;

/** In the order of the English cues. Compiled when the first such sentence comes. */
export function findForeignCue(low: string): KeepReason | undefined {
  patterns ??= order.map((reason) => {
    const words = spaced.flatMap((cues) => cues[reason] ?? []).join('|');
    const pieces = unspaced.flatMap((cues) => cues[reason] ?? []).join('|');
    const whole = words.replace(/(?<=[\p{L}\p{M})])\*/gu, '[\\p{L}\\p{M}]*');
    return [reason, new RegExp(`${start}(?:${whole})${end}${pieces && `|${pieces}`}`, 'u')] as const;
  });
  return patterns.find(([, cue]) => cue.test(low))?.[0];
}
