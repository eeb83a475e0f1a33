// Pins: texts that describe the product's surface, kept in the repository and compared by the gate. `npm run pin` writes
// them; nothing else does.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { root } from './bundle.ts';

const writing = process.env.LORE_PIN === '1';

/** The whole file is generated. */
export function pinFile(path: string, text: string): void {
  const file = join(root, path);
  const wanted = text.endsWith('\n') ? text : `${text}\n`;
  if (writing) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, wanted);
  }
  const found = existsSync(file) ? readFileSync(file, 'utf8') : '';
  expect(found, `${path} is out of step: npm run pin writes it anew`).toBe(wanted);
}

/** The part of a written file between two marker comments is generated. */
export function pinSection(path: string, name: string, text: string): void {
  const file = join(root, path);
  const found = readFileSync(file, 'utf8');
  const section = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`);
  expect(found, `${path} has no section ${name}`).toMatch(section);
  const wanted = found.replace(section, (_, open: string, close: string) => `${open}${text}\n${close}`);
  if (writing) writeFileSync(file, wanted);
  expect(readFileSync(file, 'utf8'), `${path} is out of step: npm run pin writes it anew`).toBe(wanted);
}
