// Makes text safe for a person and a model: terminal sequences are removed, and invisible and bidirectional characters are
// shown by their number, except where languages and emoji need them.

/** Compiled for the first text: their Unicode classes would slow down every start. */
function readPatterns() {
  /** CSI, OSC and other strings with their ends, and the short sequences; the introducers of the eight-bit kind too. */
  const terminal = new RegExp(
    [
      '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]',
      '(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])(?:[^\\u0007\\u001b\\u0080-\\u009f]*(?:\\u0007|\\u001b\\\\|\\u009c))?',
      '\\u001b[ -/]*[0-~]',
    ].join('|'),
    'g',
  );
  /** All kinds of line ends. */
  const lineEnds = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;
  /** Variation selectors that have an effect: on an emoji, a keycap, an ideograph, a symbol or a letter with variants. */
  const selector = [
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}])[\\ufe0e\\ufe0f]',
    '(?<=[0-9#*])\\ufe0f\\u20e3',
    '(?<=\\p{Script=Han})[\\ufe00-\\ufe02]',
    '(?<=[\\p{Sm}\\p{Script=Myanmar}\\p{Script=Phags_Pa}])\\ufe00',
  ].join('|');
  /** Control, direction, zero-width and tag characters, and other variation selectors, which can encode invisible text. */
  const hidden = new RegExp(
    `(?:(?!\\u200c|\\u200d|${selector})[\\p{Cc}\\p{Default_Ignorable_Code_Point}]|[\\ufff9-\\ufffb])+`,
    'gu',
  );
  /** Joiners between letters of scripts that need them, or in an emoji; elsewhere they only hide text. */
  const joiners =
    /(?<!\ufe0f|[\p{Extended_Pictographic}\p{Emoji_Modifier}\u0600-\u0dff\u1000-\u18ff])[\u200c\u200d]+/gu;
  const looseSurrogate = /\p{Surrogate}/gu;
  return { terminal, lineEnds, hidden, joiners, looseSurrogate };
}

let patterns: ReturnType<typeof readPatterns> | undefined;

/** A longer run could be a message itself; only its length is shown. */
const maxShown = 4;

export function showHidden(text: string): string {
  patterns ??= readPatterns();
  const { terminal, lineEnds, hidden, joiners, looseSurrogate } = patterns;
  return text
    .replace(terminal, '')
    .replace(lineEnds, '\n')
    .replace(hidden, (run) => (/^[\n\t]+$/.test(run) ? run : showRun(run)))
    .replace(joiners, showRun)
    .replace(looseSurrogate, '\ufffd');
}

function showRun(run: string): string {
  const parts = run.split(/([\n\t]+)/);
  return parts.map((part) => (/^[\n\t]*$/.test(part) ? part : showCharacters([...part]))).join('');
}

function showCharacters(characters: string[]): string {
  if (characters.length > maxShown) return `⟦${characters.length} hidden characters⟧`;
  return characters.map((character) => `⟦U+${numberOf(character)}⟧`).join('');
}

function numberOf(character: string): string {
  return (character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
}
