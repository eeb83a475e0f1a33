// Whether a text could hold a secret at all, said without the rules: reading a hundred patterns takes milliseconds, which
// a server's first small answer must not pay. It says yes too often, and to every text in which a rule finds something.

/** What has a form of its own is long and without spaces; what has none stands behind one of these words. */
const hint =
  /[\w%+/.~=-]{16}|pass|pwd|secret|token|cred|key|auth|bearer|basic|cookie|sess|sid=|login|:\/\/|\s-u|\s--|mysql|mariadb|-----/i;

export function mayHoldSecret(text: string): boolean {
  return hint.test(text);
}
