// A login with a browser at the terminal: opens the page, and takes the address that the browser ends at if it runs elsewhere.
import { openBrowser } from './open-browser.ts';

export interface LoginPage {
  show(address: string): void;
  pasted?: Promise<string>;
  close(): void;
}

export function createLoginPage(): LoginPage {
  const { stderr } = process;
  const pasted = process.stdin.isTTY === true ? readPasted(process.stdin) : undefined;
  return {
    show(address) {
      stderr.write(`Open this page and log in:\n\n  ${address}\n\n`);
      if (pasted) stderr.write('If the browser is on another machine, paste the address that it ends at.\n');
      void openBrowser(address);
    },
    ...(pasted && { pasted: pasted.line }),
    close: () => pasted?.close(),
  };
}

/** A line of the terminal, which nobody may ever type. */
export function readPasted(input: NodeJS.ReadableStream): { line: Promise<string>; close(): void } {
  let close = () => {};
  const line = import('node:readline').then(
    ({ createInterface }) =>
      new Promise<string>((resolve) => {
        const terminal = createInterface({ input });
        // Somebody who waits may press Enter.
        terminal.on('line', (text) => text.trim() !== '' && resolve(text));
        close = () => terminal.close();
      }),
  );
  return { line, close: () => close() };
}
