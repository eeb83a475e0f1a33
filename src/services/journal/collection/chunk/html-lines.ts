// The lines of a block as they come in, piece by piece. Pieces are joined once, at the end: looking at the end of a text
// that grows costs as much as all of it.

interface Lines {
  add(text: string, at: number): void;
  /** A line of its own, after a mark. */
  begin(mark: string): void;
  /** A line of its own, unless this one has only its mark. */
  rest(): void;
  /** Sets apart what follows on the same line. */
  part(mark: string): void;
  endsInSpace(): boolean;
  /** All of it, and where it began. */
  take(verbatim: boolean): { text: string; at: number };
}

export function createLines(): Lines {
  let pieces: string[] = [];
  let begun = -1;
  /** The content of the current line: nothing, a mark, or words. */
  let has: 'nothing' | 'mark' | 'words' = 'nothing';
  let last = '';
  const push = (text: string) => {
    pieces.push(text);
    last = text.at(-1) ?? last;
  };
  const breakLine = () => {
    if (has !== 'nothing') push('\n');
    has = 'nothing';
  };
  return {
    add(text, at) {
      if (text === '') return;
      if (begun < 0 && text.trim() !== '') begun = at;
      push(text);
      has = text.endsWith('\n') ? 'nothing' : 'words';
    },
    begin(mark) {
      breakLine();
      if (mark === '') return;
      push(mark);
      has = 'mark';
    },
    rest() {
      if (has === 'words') breakLine();
    },
    part(mark) {
      if (has === 'words') push(mark);
    },
    endsInSpace: () => last === '' || last === ' ' || last === '\n',
    take(verbatim) {
      const whole = pieces.join('');
      const text = verbatim
        ? whole.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
        : whole
            .split('\n')
            .map((line) => line.trimEnd())
            .filter((line) => !/^\s*-?$/.test(line))
            .join('\n')
            .trim();
      const at = begun;
      pieces = [];
      begun = -1;
      has = 'nothing';
      last = '';
      return { text, at };
    },
  };
}
