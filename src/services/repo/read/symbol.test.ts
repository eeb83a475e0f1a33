// Where a symbol is defined, guessed from how code of several languages looks.
import { describe, expect, it } from 'vitest';
import { guessSymbol } from './symbol.ts';

const typescript = `import { x } from './x';

/** Reads it. */
export function readIt(from: string): string {
  const brace = '}';
  if (from === "{") {
    return brace;
  }
  return x(from);
}

export class Reader {
  #open = false;

  // Says how.
  async read(line: number): Promise<void> {
    for (const a of [1]) {
      await readIt(\`\${a}}\`);
    }
  }

  close() { this.#open = false; }
}

export const limit = 5;
export type Name = { a: string };
export const arrow = async ({ a }: { a: number }) => {
  return a;
};
const table = [
  1,
];
`;

const python = `import os

@cached
def first(a,
          b):
    """Doc."""
    if a:
        return b

    return a

class Thing:
    def method(self):
        return 1

    def other(self):
        return 2

LIMIT = 3
`;

const go = `package c

// Read reads.
func (r *Reader) Read(p []byte) (int, error) {
	return 0, nil
}

type Reader struct {
	open bool
}
`;

const rust = `impl<'a> Parser<'a> {
    pub fn parse(&self, c: char) -> bool {
        c == '}' || c == '\\''
    }
}

#[derive(Debug)]
pub struct Token;

macro_rules! many {
    () => {};
}
`;

const c = `#include <stdio.h>

static int
helper(int a);

static int
helper(int a)
{
    return a;
}

int main(void) {
    return helper(1);
}
`;

const ruby = `class Shop
  def open?(at)
    true
  end

  def close
    false
  end
end
`;

const java = `public class Box<T> {
    @Override
    public String toString() {
        return "}";
    }
}
`;

const markdown = `# Title

Words.

## Install

Run it.

### On Linux

So.

## Use
`;

describe('a symbol', () => {
  it.each([
    [typescript, 'readIt', 3, 10],
    [typescript, 'Reader', 12, 23],
    [typescript, 'Reader.read', 15, 20],
    [typescript, 'close', 22, 22],
    [typescript, 'limit', 25, 25],
    [typescript, 'Name', 26, 26],
    [typescript, 'arrow', 27, 29],
    [typescript, 'table', 30, 32],
    [python, 'first', 3, 10],
    [python, 'Thing', 12, 17],
    [python, 'Thing.other', 16, 17],
    [python, 'LIMIT', 19, 19],
    [go, 'Read', 3, 6],
    [go, 'Reader', 8, 10],
    [rust, 'parse', 2, 4],
    [rust, 'Token', 7, 8],
    [rust, 'many', 10, 12],
    [c, 'main', 12, 14],
    [ruby, 'Shop', 1, 9],
    [ruby, 'Shop#close', 6, 8],
    [java, 'toString', 2, 5],
    [markdown, 'Install', 5, 12],
  ])('is found in %#: %s', (text, symbol, start, end) => {
    expect(guessSymbol(text, symbol)).toEqual({ start, end });
  });

  it.each(['nothing', 'Reader.nothing', '.*', '(', '', '::', 'x'.repeat(300)])('is not found: %j', (symbol) => {
    expect(guessSymbol(typescript, symbol)).toBeUndefined();
  });

  it('is looked for in bounded time, whatever the lines are', () => {
    const lines = ['a '.repeat(900), '('.repeat(1_900), '<'.repeat(1_900), "'".repeat(1_900), '{'.repeat(1_900)];
    const text = Array.from({ length: 200 }, () => lines.join('\n')).join('\n');
    expect(guessSymbol(text, 'nothing')).toBeUndefined();
    expect(guessSymbol(`function f(\n${text}`, 'f')).toBeDefined();
  });
});
