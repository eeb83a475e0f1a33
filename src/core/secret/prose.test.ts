// Secrets in sentences: which values are taken, how far they extend, and which sentences only talk about a secret.
import { describe, expect, it } from 'vitest';
import { redact } from './redact.ts';
import { rateValue } from './shape.ts';

describe('a sentence', () => {
  it.each([
    ["The admin's password is Xk29fjQpw.", "The admin's password is [redacted:secret]."],
    ['The staging database password is hunter2secret.', 'The staging database password is [redacted:secret].'],
    ['Login with user admin and password Zebra-Lamp-42.', 'Login with user admin and password [redacted:secret].'],
    ['use Xk29fjQpw as the password', 'use [redacted:secret] as the password'],
    ['login is admin / hunter2secret', 'login is admin / [redacted:secret]'],
    ['Old password: Xk29fjQpw, new: Zebra-Lamp-42', 'Old password: [redacted:secret], new: Zebra-Lamp-42'],
    ['The password is "copper violet marble".', 'The password is "[redacted:secret]".'],
    ['пароль от базы: Xk29fjQpw', 'пароль от базы: [redacted:secret]'],
    ['ПАРОЛЬ: Xk29fjQpw', 'ПАРОЛЬ: [redacted:secret]'],
    ['数据库密码是Xk29fjQpw。', '数据库密码是[redacted:secret]。'],
    ['パスワードは「Xk29fjQpw」です', 'パスワードは「[redacted:secret]」です'],
    ['PIN 4821', 'PIN [redacted:secret]'],
    ['the password for staging is hunter2', 'the password for staging is [redacted:secret]'],
    ['password is still letmein99', 'password is still [redacted:secret]'],
    ['Log in to Kibana as elastic / Ms55ocBrDkyV.', 'Log in to Kibana as elastic / [redacted:secret].'],
    ['login with admin and Qh69mkSKt', 'login with admin and [redacted:secret]'],
    ['user root, pass Lp87cxCQgmQk', 'user root, pass [redacted:secret]'],
    ['пароль=Au50dpMlSf', 'пароль=[redacted:secret]'],
    ['passwort=Hh68zoOeCh', 'passwort=[redacted:assigned-secret]'],
    ['redis-cli -h a -a Bi8CkyIhgP13 ping', 'redis-cli -h a -a [redacted:command-password] ping'],
    ['The password is x7#K(9}pL]2q now', 'The password is [redacted:secret] now'],
  ])('%s', (text, clean) => {
    expect(redact(text).text).toBe(clean);
    expect(redact(clean).text).toBe(clean);
  });

  it.each([
    'The password is required.',
    'The password is checked with bcrypt12.',
    'The password is hash(User1)[0].',
    'backend.secret = x.readUInt32BE(9)',
    'password is wrong. Xk29fjQpw is the build.',
    'The password\n\nXk29fjQpw',
    'The token id is 3f2a9c1b-77aa-4d9c-8a8b-d36869918ec5',
    'GPIO pin 4821',
    'The PIN is 1234.',
    'The password is option2.',
    'The password to server12 is known.',
    'PASS: Unauthorized requests are refused',
    'Log in as a member of team7 and open the dashboard.',
    'API Token \\u7684\\u7D93\\u9A57',
    'const hasPassword: !!this.state.password2',
    'http_auth=(config["id1234"])',
    'password hash: see SHA-256',
    'Пароль хешируется с помощью bcrypt12.',
  ])('%s stays', (text) => {
    expect(redact(text).text).toBe(text);
  });
});

describe('a value', () => {
  it.each([
    ['password: Tr0ub4dor&3xyz', 'password: [redacted:assigned-secret]'],
    ['password=Tr0ub4dor&3xyz next', 'password=[redacted:assigned-secret] next'],
    ['a?password=Tr0ub4dor9&user=ana', 'a?password=[redacted:assigned-secret]&user=ana'],
    ['password=Tr0ub4dor9&amp;user=ana', 'password=[redacted:assigned-secret]&amp;user=ana'],
    ['Password=aB3$xYz9,kQ2;Encrypt=True;', 'Password=[redacted:assigned-secret];Encrypt=True;'],
    ['password = "aB3$xY\\"z9,kQ2"', 'password = "[redacted:assigned-secret]"'],
    ['{\\"password\\":\\"aB3$xYz9\\",\\"a\\":1}', '{\\"password\\":\\"[redacted:assigned-secret]\\",\\"a\\":1}'],
    ['postgres://a:p4ss/w0rd@x9@db/app', 'postgres://a:[redacted:url-password]@db/app'],
    ['http://localhost:8080/a1b2c3@d', 'http://localhost:8080/a1b2c3@d'],
  ])('%s leaves nothing over', (text, clean) => {
    expect(redact(text).text).toBe(clean);
  });

  it.each([
    ['strong', ['Xk29fjQpw', 'aB3!xY9z', 'Tr0ub4dor&3xyz', '3f2a9c1b77aa4d9c']],
    ['fair', ['hunter2secret', 'Zebra-Lamp-42', 'winter2024', 'Sunshine!2345']],
    ['none', ['required', 'argon2id', 'SHA-256', 'v2.3.1', 'db-credentials-v3', 'Schema.Types.String2', '2024-05-02']],
    ['none', ['auth/login2.ts', 'user@host2.org', 'API_KEY_V2', 'https://a.b/c1D2', 'gpt-4o-mini', '$0.15/1M']],
  ] as const)('is %s: %s', (strength, values) => {
    for (const value of values) expect([value, rateValue(value)]).toEqual([value, strength]);
  });
});
