// Why a sentence is worth keeping, in ten languages.
import { describe, expect, it } from 'vitest';
import { readClause } from './extract-clause.ts';
import { findCue } from './extract-keep.ts';

describe('findCue', () => {
  it.each([
    ['rule', 'Vor jedem Commit müssen die Tests laufen.'],
    ['rule', 'Il ne faut jamais modifier une migration appliquée.'],
    ['rule', 'Hay que ejecutar las pruebas antes de cada commit.'],
    ['rule', 'Os testes devem passar antes do merge.'],
    ['rule', 'Нельзя менять применённую миграцию.'],
    ['rule', 'لا يجوز تعديل ملفات الترحيل.'],
    ['rule', 'कमिट से पहले टेस्ट चलाने चाहिए।'],
    ['rule', '提交之前必须运行测试。'],
    ['rule', 'マージの前にテストを実行しなければなりません。'],
    ['rule', '커밋하기 전에 테스트를 실행해야 합니다.'],
    ['preference', 'Ich mag keine langen Funktionen.'],
    ['preference', "Je n'aime pas les commentaires inutiles."],
    ['preference', 'मुझे छोटे फ़ंक्शन पसंद हैं।'],
    ['preference', '我不喜欢太长的函数。'],
    ['preference', 'Prefere funções curtas.'],
    ['preference', 'A preferência dela são funções curtas.'],
    ['decision', 'Hemos decidido usar PostgreSQL.'],
    ['decision', 'Мы решили остаться на PostgreSQL.'],
    ['decision', 'PostgreSQLを使うことにしました。'],
    ['correction', 'Der Dienst läuft nicht mehr auf Port 8080.'],
    ['correction', 'A API não usa mais o Redis.'],
    ['correction', 'لم يعد المشروع يستخدم Redis.'],
    ['correction', '이 서비스는 더 이상 Redis를 사용하지 않습니다.'],
    [undefined, 'Ich bin immer noch wütend.'],
    [undefined, 'Das Gateway hört auf Port 8443.'],
    [undefined, '网关监听8443端口。'],
    [undefined, 'Made get_preferred_type() consider media types.'],
    [undefined, 'Updated preferred types.'],
    [undefined, 'The die is cast in the muss.'],
  ])('finds %s in %j', (reason, text) => {
    expect(findCue(readClause(text))).toBe(reason);
  });
});
