// Times in words of other languages, as the English phrase of `time-phrase.ts`: "vor drei Tagen" is "3 days ago". Only times that
// are certainly past: yesterday, last week, three days ago.
import { judgeForeign } from '../../../graph/words.ts';

interface Times {
  /** Each with its alternatives, an expression. */
  yesterday: string;
  dayBefore: string;
  last: Partial<Record<PastUnit, string>>;
  /** N is a number, U a unit. */
  ago: readonly string[];
  units: Record<PastUnit, string>;
  /** The words for one, two, three …; the first two with their forms. */
  numbers: string;
}

type PastUnit = 'day' | 'week' | 'month' | 'year';

const times: readonly Times[] = [
  {
    // German.
    yesterday: 'gestern|letzte nacht',
    dayBefore: 'vorgestern',
    last: {
      week: '(?:letzte|vorige|vergangene)[nr]? woche',
      month: '(?:letzten|vorigen|vergangenen) monat',
      year: '(?:letzte|vorige|vergangene)[sn] jahr',
    },
    ago: ['vor N U'],
    units: { day: 'tag(?:en)?', week: 'wochen?', month: 'monat(?:en)?', year: 'jahr(?:en)?' },
    numbers: 'einem?r? zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
  },
  {
    // French.
    yesterday: 'hier|la nuit dernière',
    dayBefore: 'avant-hier',
    last: {
      week: '(?:la )?semaine dernière',
      month: '(?:le )?mois dernier',
      year: "(?:l')?an(?:née)? (?:dernier|dernière|passée?)",
    },
    ago: ['il y a N U'],
    units: { day: 'jours?', week: 'semaines?', month: 'mois', year: 'an(?:née)?s?' },
    numbers: 'une? deux trois quatre cinq six sept huit neuf dix onze douze',
  },
  {
    // Spanish.
    yesterday: 'ayer|anoche',
    dayBefore: 'anteayer|antes de ayer|antier',
    last: { week: '(?:la )?semana pasada', month: '(?:el )?mes pasado', year: '(?:el )?año pasado' },
    ago: ['hace N U', 'N U atrás'],
    units: { day: 'días?', week: 'semanas?', month: 'mes(?:es)?', year: 'años?' },
    numbers: 'una? dos tres cuatro cinco seis siete ocho nueve diez once doce',
  },
  {
    // Portuguese.
    yesterday: 'ontem',
    dayBefore: 'anteontem',
    last: { week: '(?:n?a )?semana passada', month: '(?:n?o )?mês passado', year: '(?:n?o )?ano passado' },
    ago: ['há N U', 'N U atrás', 'faz N U'],
    units: { day: 'dias?', week: 'semanas?', month: 'mês|meses', year: 'anos?' },
    numbers: 'uma? (?:dois|duas) três quatro cinco seis sete oito nove dez onze doze',
  },
  {
    // Russian.
    yesterday: 'вчера|прошлой ночью',
    dayBefore: 'позавчера',
    last: { week: '(?:на )?прошлой неделе', month: '(?:в )?прошлом месяце', year: '(?:в )?прошлом году' },
    ago: ['N U (?:тому )?назад'],
    units: { day: 'день|дня|дней', week: 'недел[юия]|недель', month: 'месяц(?:а|ев)?', year: 'год(?:а)?|лет' },
    numbers: 'од(?:ин|ну) дв[ае] три четыре пять шесть семь восемь девять десять одиннадцать двенадцать',
  },
  {
    // Arabic. A unit alone may mean one or two of it.
    yesterday: '(?:ال)?(?:أمس|امس|بارحة)|ليلة أمس',
    dayBefore: 'أول (?:من )?أمس',
    last: {
      week: 'الأسبوع (?:الماضي|السابق)',
      month: 'الشهر (?:الماضي|السابق)',
      year: '(?:السنة الماضية|العام الماضي)',
    },
    ago: ['(?:قبل|منذ) N U'],
    units: { day: 'يوما?|أيام', week: 'أسبوعا?|أسابيع', month: 'شهرا?|أشهر|شهور', year: 'سن(?:ة|وات|ين)|عاما?|أعوام' },
    numbers: 'واحد(?:ة)? اثنين ثلاثة? أربعة? خمسة? ستة? سبعة? ثمان(?:ية|ي)? تسعة? عشرة?',
  },
  {
    // Hindi. "कल" is yesterday or tomorrow, so it needs the past.
    yesterday: 'कल रात|बीते कल',
    dayBefore: 'बीते परसों',
    last: { week: 'पिछले हफ़्ते|पिछले हफ्ते|पिछले सप्ताह', month: 'पिछले महीने', year: 'पिछले साल|पिछले वर्ष' },
    ago: ['N U पहले'],
    units: { day: 'दिनों?', week: 'हफ़्त[ेों]+|हफ्त[ेों]+|सप्ताह', month: 'महीन[ाेों]+', year: 'साल(?:ों)?|वर्ष(?:ों)?' },
    numbers: 'एक दो तीन चार पांच|पाँच छह|छः सात आठ नौ दस ग्यारह बारह',
  },
  {
    // Chinese, in both spellings.
    yesterday: '昨[天日晚夜]',
    dayBefore: '前天',
    last: { week: '上(?:个|個)?(?:周|週|星期|礼拜|禮拜)', month: '上(?:个|個)?月', year: '去年' },
    ago: ['NU(?:以|之)?前'],
    units: { day: '天|日', week: '(?:个|個)?(?:周|週|星期|礼拜|禮拜)', month: '(?:个|個)月', year: '年' },
    numbers: '一 [二两兩] 三 四 五 六 七 八 九 十 十一 十二',
  },
  {
    // Japanese.
    yesterday: '昨日|きのう|昨[夜晩]|ゆうべ',
    dayBefore: '一昨日|おととい',
    last: { week: '先週', month: '先月', year: '去年|昨年' },
    ago: ['NU前'],
    units: { day: '日', week: '週間', month: '[かヶカケ]月', year: '年' },
    numbers: '一 二 三 四 五 六 七 八 九 十 十一 十二',
  },
  {
    // Korean.
    yesterday: '어제|어젯밤|간밤',
    dayBefore: '그저께|그제',
    last: { week: '지난 ?주', month: '지난 ?달', year: '작년|지난 ?해' },
    ago: ['N ?U ?전'],
    units: { day: '일', week: '주일?', month: '달|개월', year: '년|해' },
    numbers: '한|일 두|이 세|삼 네|사 다섯|오 여섯|육 일곱|칠 여덟|팔 아홉|구 열|십',
  },
];

interface ForeignTime {
  /** As `readSpan` reads it. */
  english: string;
  phrase: string;
}

type Reader = (text: string) => ForeignTime | undefined;
let readers: readonly Reader[] | undefined;

/** The past time that a text in another language names. */
export function readForeignTime(text: string): ForeignTime | undefined {
  if (judgeForeign(text) < 0 || (judgeForeign(text) === 0 && !/[^\0-\x7f]/.test(text))) return undefined;
  readers ??= times.map(createReader);
  for (const read of readers) {
    const found = read(text.toLowerCase());
    if (found) return found;
  }
  return undefined;
}

/** One expression for each language. Between letters of scripts without spaces a word may start anywhere. */
function createReader({ yesterday, dayBefore, last, ago, units, numbers }: Times): Reader {
  const counts = numbers.split(' ');
  const number = `(\\d{1,3}|${[...counts].reverse().join('|')})`;
  const names = Object.keys(units) as PastUnit[];
  const unit = `(${names.map((name) => units[name]).join('|')})`;
  const plain: [string, string][] = [
    ['day before yesterday', dayBefore],
    ['yesterday', yesterday],
    ...names.flatMap((name): [string, string][] => (last[name] ? [[`last ${name}`, last[name]]] : [])),
  ];
  const isSpaced = !/[\p{Script=Han}\p{Script=Hangul}]/u.test(yesterday);
  const bound = (words: string) =>
    new RegExp(isSpaced ? `(?<![\\p{L}\\p{M}])(?:${words})(?![\\p{L}\\p{M}])` : words, 'u');
  const before = ago.map((form) => bound(form.replace('N', number).replace('U', unit)));
  const words = plain.map(([english, form]) => [english, bound(form)] as const);
  const whole = names.map((name) => [name, new RegExp(`^(?:${units[name]})$`, 'u')] as const);
  return (text) => {
    for (const form of before) {
      const found = form.exec(text);
      if (!found) continue;
      const [phrase, count = '', own = ''] = found;
      const named = counts.findIndex((one) => new RegExp(`^(?:${one})$`, 'u').test(count)) + 1;
      const [name] = whole.find(([, expression]) => expression.test(own)) ?? ['day'];
      return { english: `${named || count} ${name}s ago`, phrase };
    }
    for (const [english, form] of words) {
      const found = form.exec(text);
      if (found) return { english, phrase: found[0] };
    }
    return undefined;
  };
}
