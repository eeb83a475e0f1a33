// When a memory has to do with a text, and which texts speak of nothing.
import { describe, expect, it } from 'vitest';
import { createStaticEmbedder, measureCosine } from '../../graph/words.ts';
import { createJudge, helpfulFrom } from './relevance.ts';

const fact =
  'Stripe webhooks must be idempotent: the event id is stored in payment_event before anything else happens.';

function weigh(prompt: string, text: string, cosine = 0, background = 0.1, coverage = 0): number {
  return createJudge(prompt).weigh({ title: '', text }, { cosine, background, coverage });
}

describe('createJudge', () => {
  it('combines words and meaning', () => {
    const prompt = 'A repeated Stripe webhook led to a second charge';
    expect(weigh(prompt, fact, 0.1)).toBeLessThan(helpfulFrom);
    expect(weigh('Charge a card', fact, 0.4)).toBeLessThan(helpfulFrom);
    expect(weigh(prompt, fact, 0.4)).toBeGreaterThanOrEqual(helpfulFrom);
  });

  it('accepts strong meaning or strong words alone', () => {
    expect(weigh('Where do I pay?', fact, 0.7)).toBeGreaterThanOrEqual(helpfulFrom);
    expect(weigh('Stripe webhooks idempotent: event id stored in payment_event?', fact)).toBeGreaterThanOrEqual(
      helpfulFrom,
    );
  });

  it('ignores the similarity that all texts of a language have', () => {
    const prompt = 'Wie hoch ist die Zugspitze?';
    const [text, cosine] = ['Freitags wird nicht ausgeliefert.', 0.66];
    expect(weigh(prompt, text, cosine, 0.1)).toBeGreaterThanOrEqual(helpfulFrom);
    expect(weigh(prompt, text, cosine, 0.4)).toBeLessThan(helpfulFrom);
  });

  it('gives generic words a low weight', () => {
    expect(weigh('Add a new test and run it', 'Run the new test, then add a file.')).toBeLessThan(helpfulFrom);
  });

  it('requires more common words of a long memory', () => {
    const long = `${fact} ${Array.from({ length: 60 }, (_, at) => `topic${at}`).join(' ')}`;
    expect(weigh('Stripe webhooks', fact)).toBeGreaterThan(weigh('Stripe webhooks', long) * 1.5);
  });

  it('unifies the forms of a word', () => {
    const [plain, changed] = ['deploy the library', 'deploying libraries'].map((prompt) =>
      weigh(prompt, 'Libraries are deployed nightly by hand.'),
    );
    expect(changed).toBe(plain);
    expect(plain).toBeGreaterThan(0);
  });

  it.each(['yes', 'go on', 'ok do it', 'please continue', ''])('ignores "%s"', (prompt) => {
    expect(createJudge(prompt).speaks).toBe(false);
  });

  it.each([
    ['Can we release on a Friday?', 'We do not release on Fridays.', 'All dates are stored in UTC.'],
    ['周五可以发布吗?', '周五不发布新版本。', '金额一律以分为单位存储为整数。'],
    ['テストはどうやって実行しますか?', 'テストは `npm run test:unit` で実行します。', '日時はすべてUTCで保存します。'],
    ['금요일에 배포해도 되나요?', '금요일에는 배포하지 않습니다.', '모든 날짜는 UTC로 저장합니다.'],
    ['Dürfen wir am Freitag ausliefern?', 'Am Freitag wird nicht ausgeliefert.', 'Alle Zeiten sind in UTC.'],
    ['Можно выкатить релиз в пятницу?', 'По пятницам мы не выкатываем релизы.', 'Все даты хранятся в UTC.'],
    ['من المسؤول عن حساب المخزون؟', 'ليلى مسؤولة عن حساب المخزون.', 'تُحفظ جميع التواريخ بتوقيت UTC.'],
    ['क्या हम शुक्रवार को रिलीज़ कर सकते हैं?', 'शुक्रवार को रिलीज़ नहीं होती।', 'सभी तारीखें UTC में रखी जाती हैं।'],
  ])('judges meaning in every language of the tables: %s', (prompt, helpful, other) => {
    const [asked, ...vectors] = createStaticEmbedder().embed([prompt, helpful, other]);
    const [near, far] = vectors.map((vector) => measureCosine(asked as Int8Array, vector)) as [number, number];
    expect(weigh(prompt, helpful, near, 0.1, 0.5)).toBeGreaterThanOrEqual(helpfulFrom);
    expect(weigh(prompt, other, far)).toBeLessThan(helpfulFrom);
  });

  it.each([
    ['Ποιος αποφασίζει για την απογραφή;', 'Η Ελένη αποφασίζει για την απογραφή.', 'Οι ημερομηνίες είναι σε UTC.'],
    ['מי אחראי על חישוב המלאי?', 'לילה אחראית על חישוב המלאי.', 'כל התאריכים נשמרים לפי UTC.'],
  ])('accepts words alone in a script without a table: %s', (prompt, helpful, other) => {
    expect(weigh(prompt, helpful, 0, 0.1, 0.8)).toBeGreaterThanOrEqual(helpfulFrom);
    expect(weigh(prompt, other)).toBeLessThan(helpfulFrom);
  });

  it('ignores accents and vowel marks', () => {
    expect(weigh('précédence', 'Precedence')).toBe(weigh('precedence', 'Precedence'));
    expect(weigh('تشغل', 'تُشغَّل')).toBeGreaterThan(0);
  });

  it('accepts a single specific word', () => {
    expect(createJudge('the gateway').speaks).toBe(true);
  });
});
