// What a person does in the dashboard, step by step: with the keyboard alone, at 200 %, with reduced motion, and while the server
// is gone.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { browserPath, closeBrowser, visit } from '../support/browser.ts';
import { openWith, views } from '../support/dashboard-page.ts';
import { runLore, spawnLore } from '../support/lore.ts';
import { pinFile } from '../support/pin.ts';
import { upstreamFile } from '../support/upstream/upstream.ts';

/** Moves the focus as the Tab key does, until it is on the control with this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < 300; steps++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(
      `document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent`,
    );
    if (focused === name) return;
  }
  throw new Error(`"${name}" cannot be reached with the Tab key`);
}

afterAll(closeBrowser);

describe.skipIf(browserPath === undefined)('a tour of the dashboard', () => {
  it('reviews a changed tool with the keyboard alone', async () => {
    const { page, problems, call, env, folder } = await openWith([]);
    const { keyboard } = page;
    const file = join(folder, 'tools.json');
    const offer = (description: string) =>
      writeFileSync(file, JSON.stringify([{ name: 'read', description, inputSchema: { type: 'object' } }]));
    const mount = async (...args: string[]) => {
      const { code, stderr } = await runLore(['mount', ...args], { env, cwd: folder });
      expect(code, stderr).toBe(0);
    };
    offer('Reads a note.');
    await mount('notes', '--', process.execPath, upstreamFile, '--tools', file);
    offer('Reads a note.\u202e <script>window.owned=1</script>');
    await mount('test', 'notes');
    await keyboard.press('g');
    await keyboard.press('u');
    await page.waitForSelector('.diff ins:has-text("⟦")');
    expect(await page.textContent('.diff ins')).toContain('<script>window.owned=1</script>');
    await tabTo(page, 'Approve notes_read');
    await keyboard.press('Enter');
    await page.waitForSelector('dialog[open]');
    await keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
    expect(await call('mount_review', {})).toMatchObject({ total: 1 });
    await tabTo(page, 'Approve notes_read');
    await keyboard.press('Enter');
    await page.waitForSelector('dialog[open]');
    await tabTo(page, 'Approve');
    await keyboard.press('Enter');
    await page.waitForSelector('.toast:has-text("Approved notes_read")');
    await page.waitForSelector('.diff', { state: 'detached' });
    expect(await call('mount_review', {})).toEqual({ total: 0, waiting: [] });
    expect(problems).toEqual([]);
  });

  it('follows an operation and allows a tool with the keyboard alone', async () => {
    const { page, problems, call, folder } = await openWith([]);
    const { keyboard } = page;
    await keyboard.press('g');
    await keyboard.press('o');
    await page.waitForSelector('h1:has-text("Operations")');
    writeFileSync(join(folder, 'a.ts'), 'export const a = 1;\n');
    await call('index_repository', {});
    await page.waitForSelector('.cards li:has-text("index"):has-text("done")');
    await keyboard.press('g');
    await keyboard.press('e');
    await page.waitForSelector('[aria-label="Allow tool_source"][aria-checked="false"]');
    await tabTo(page, 'Allow tool_source');
    await keyboard.press('Space');
    await page.waitForSelector('[aria-label="Allow tool_source"][aria-checked="true"]');
    await keyboard.press('u');
    await page.waitForSelector('[aria-label="Allow tool_source"][aria-checked="false"]');
    expect(problems).toEqual([]);
  });

  it('merges two memories, and takes that back', async () => {
    const { page, problems, call, ids } = await openWith(['The mast has two lamps.', 'The hull is green.']);
    const { keyboard } = page;
    for (const key of ['j', 'x', 'j', 'x']) await keyboard.press(key);
    await tabTo(page, 'Merge');
    await keyboard.press('Enter');
    await page.waitForSelector('dialog textarea');
    await keyboard.press('Control+a');
    await keyboard.type('The mast has two lamps and the hull is green.');
    await keyboard.press('Control+Enter');
    await page.waitForSelector('.toast:has-text("Merged 2 memories.")');
    const listed = async () => ((await call('recent', {})).memories as { id: string }[]).map(({ id }) => id);
    expect(await listed()).toHaveLength(1);
    await keyboard.press('u');
    await page.waitForSelector('.toast:has-text("Undone.")');
    expect((await listed()).toSorted()).toEqual(ids.toSorted());
    expect(problems).toEqual([]);
  });

  it('keeps what is written while the server is gone', async () => {
    const { page, origin, ids, env, folder, stop, link } = await openWith(['The pump runs at night.']);
    await visit(page, `${origin}/ui/memories/${ids[0]}`);
    const { keyboard } = page;
    await keyboard.press('e');
    await page.waitForSelector('dialog textarea');
    await keyboard.press('Control+a');
    await keyboard.type('The pump runs at noon.');
    stop();
    await keyboard.press('Control+Enter');
    await page.waitForSelector('dialog [role=alert]:has-text("The server does not answer")');
    expect(await page.inputValue('dialog textarea')).toBe('The pump runs at noon.');
    // Another process on the same port knows no earlier session.
    const child = spawnLore(['open', '--json'], { ...env, LORE_PORT: new URL(link).port }, folder);
    onTestFinished(() => void child.kill('SIGKILL'));
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    while (!text.includes('}')) await once(child.stdout, 'data');
    await page.locator('dialog textarea').press('Control+Enter');
    await page.waitForSelector('dialog [role=alert]:has-text("no session")');
    const other = await page.context().newPage();
    await other.goto((JSON.parse(text) as { url: string }).url);
    await other.waitForSelector('.row:has-text("The pump runs at night.")');
    await page.locator('dialog textarea').press('Control+Enter');
    await other.waitForSelector('.row:has-text("The pump runs at noon.")');
    await page.waitForSelector('.detail .text:has-text("noon")');
    expect(await page.locator('.history li').count()).toBe(2);
  });

  it('shows the same controls at 200 %, and moves nothing if motion is reduced', async () => {
    const { page, origin } = await openWith(['The pump runs at night.']);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const controls = async (width: number) => {
      await page.setViewportSize({ width, height: 720 });
      const found: string[] = [];
      for (const view of views) {
        await visit(page, `${origin}/ui/${view}`);
        const names = await page
          .locator('main :is(h1, h2, h3, button, select, input, summary)')
          .evaluateAll((all) => all.flatMap((one) => (one.checkVisibility() ? (one.textContent ?? '') : [])));
        found.push(`${view}: ${names.join(' | ')}`);
      }
      return found;
    };
    expect(await controls(640)).toEqual(await controls(1280));
    await visit(page, `${origin}/ui/memories`);
    await page.keyboard.press('n');
    await page.waitForSelector('dialog textarea');
    expect(await page.evaluate('document.getAnimations().length')).toBe(0);
    await page.keyboard.type('The pump is blue.');
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector('.toast');
    expect(await page.evaluate('document.getAnimations().length')).toBe(0);
  });

  it('describes every view to screen readers as pinned', async () => {
    const { page, origin, call, folder, ids } = await openWith(['Use tabs in Makefiles.', 'Use spaces in Makefiles.']);
    await call('checkpoint_save', { name: 'proxy', content: 'The proxy works. Next: its tests.' });
    await call('remediation_save', { error_msg: 'Error: EPIPE', solution: 'Restart the proxy.' });
    await page.setViewportSize({ width: 1280, height: 800 });
    const pins: string[] = [];
    for (const view of [...views.filter((one) => one !== 'permissions'), `memories/${ids[0]}`, `graph/${ids[0]}`]) {
      await visit(page, `${origin}/ui/${view}`);
      const snapshot = await page.locator('main').ariaSnapshot();
      pins.push(
        `# ${view.replace(/n_\w+/, 'ID')}`,
        ...snapshot.split('\n').filter(isStructure).map(hideDetails(folder)),
      );
    }
    pinFile('test/web/aria.txt', pins.join('\n'));
  });
});

/** Headings, controls and lists; addresses and running texts are not pinned. */
function isStructure(line: string): boolean {
  return !/^ *- (?:\/url|text|paragraph|code|term|definition|time|strong|listitem:?$)/.test(line);
}

/** What differs from run to run. */
function hideDetails(folder: string): (line: string) => string {
  return (line) =>
    line
      .replaceAll(folder, 'FOLDER')
      .replaceAll(/lore-test-[\w-]+/g, 'FOLDER')
      .replaceAll(/\b[a-z]+_[0-9a-z]{24}\b/g, 'ID')
      .replaceAll(/\b(?:now|\d+\w+ ago)\b/g, 'TIME')
      .replaceAll(/\d{4}-\d\d-\d\d/g, 'DAY');
}
